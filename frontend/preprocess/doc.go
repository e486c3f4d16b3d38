// Package preprocess makes the tokens of a program: it cuts files into preprocessing tokens, executes
// directives and expands macros.
//
// It consumes the text of a file with macros of the command line and a file system for #include, and
// produces Tokens, each with its place in the user's text and the macro expansion that it came from.
// Unroll pragmas and launch directives (comments that begin with "idgen:") are tokens of their own at
// their places; comments and other directives are gone. Nothing is rewritten: a token's text is that of
// the file, but for pasted (##) and stringised (#) ones.
//
// The rules are C's (C11 5.1.1.2, 6.4 and 6.10) with C++'s raw strings, digit separators and ::,
// __VA_OPT__ and __has_include. Of punctuators > is always one token, so that a parser may read >> as
// two brackets; Token.Spaced tells what stands apart.
//
// # Invariants
//
// Whatever the text is, work is bounded: by Limits, whose excess is a positioned error. Nothing is read
// but Config.FS. Errors of directives that a condition takes out do not count.
package preprocess
