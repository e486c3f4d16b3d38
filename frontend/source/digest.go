package source

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"strconv"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/preprocess"
	"gpupipe/internal/diag"
)

// Preprocessed is what the preprocessor leaves of a program.
type Preprocessed struct {
	// Sum is a digest of all that Parse reads but for what Config says of the target: programs of the same sum are
	// the same program.
	Sum   [sha256.Size]byte
	Files map[string]string // the user's texts that were read, by name
}

// Preprocess runs the preprocessor alone.
func Preprocess(cfg Config) (*Preprocessed, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	r := cfg.Tokens(false)
	if err := r.Errors.Err(); err != nil {
		return nil, err
	}
	h := sha256.New()
	hashTokens(h, r)
	if cfg.Dialect == ast.CUDA && AsksForDevice(r) {
		hashTokens(h, cfg.Tokens(true))
	}
	p := &Preprocessed{Sum: [sha256.Size]byte(h.Sum(nil)), Files: map[string]string{}}
	for name, text := range r.Files {
		if !diag.IsLibrary(name) {
			p.Files[name] = text
		}
	}
	return p, nil
}

// hashTokens hashes a program: its tokens with their places, what is said of it, and the functions that it leaves out.
func hashTokens(h hash.Hash, r *preprocess.Result) {
	var b []byte
	number := func(n int) { b = binary.AppendVarint(b, int64(n)) }
	text := func(s string) {
		number(len(s))
		b = append(b, s...)
	}
	var add func(list []preprocess.Token)
	add = func(list []preprocess.Token) {
		for i := range list {
			t := &list[i]
			number(int(t.Kind))
			text(t.Text)
			text(t.Pos.File)
			number(t.Pos.Line)
			number(t.Pos.Column)
			b = strconv.AppendBool(b, t.First)
			number(len(t.Args))
			for x := t.From; x != nil; x = x.Outer {
				text(x.Macro)
				number(x.Pos.Line)
				number(x.Pos.Column)
			}
			number(-1)
			add(t.Args)
			if len(b) > 1<<12 {
				h.Write(b)
				b = b[:0]
			}
		}
	}
	add(r.Tokens)
	h.Write(b)
	fmt.Fprintf(h, "%v %v", r.Warnings, r.Skipped)
}
