package lisp

// Shares says that Lisp's data can be read in other languages, and theirs here.
func (language) Shares() {}
