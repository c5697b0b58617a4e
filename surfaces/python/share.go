package python

// Shares says that its sessions lend data to other languages and read theirs.
func (language) Shares() {}
