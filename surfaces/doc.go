// Package surfaces is what the languages share above their evaluators: the
// workspace of one conversation, the session of one language in it, the result
// of one program, and the mounting of all that as tools with their texts.
//
// It knows no language: a language is handed to it as a [Language].
package surfaces
