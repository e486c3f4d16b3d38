package cxx

import "gpupipe/frontend/source"

// Program is what is known of a program while its files are written out, of those so far.
type Program struct {
	Defines  []string // as after -D: "NAME" or "NAME=VALUE"
	Bindings []string // arguments of kernel templates that the user gives: "[kernel:]T=float,N=16"
	// Header finds the file that an #include names, nil where there is none. It is written out by then.
	Header func(from *source.File, off int, name string, system bool) *source.File
	// LanguageMacro is the value of an object-like macro of the language or the GPU.
	LanguageMacro func(name string) (words []string, ok bool)

	Files     []*source.File
	Words     Words
	Templates *Set
	local     func(name string) ([]string, bool) // constants of the function being written out
	Tokens    int                                // of all files
}

// Reader reads a file.
func (p *Program) Reader(f *source.File) *Reader { return &Reader{File: f, words: &p.Words} }
