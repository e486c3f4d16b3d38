package source

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"strconv"
	"sync"

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
	h := begin(r.Before)
	hashTokens(h, r.Tokens[len(r.Before):])
	hashNotes(h, r)
	if cfg.Dialect == ast.CUDA && AsksForDevice(r) {
		host := cfg.Tokens(true)
		hashTokens(h, host.Tokens)
		hashNotes(h, host)
	}
	p := &Preprocessed{Sum: [sha256.Size]byte(h.Sum(nil)), Files: map[string]string{}}
	for name, text := range r.Files {
		if !diag.IsLibrary(name) {
			p.Files[name] = text
		}
	}
	return p, nil
}

// begun are digests of the tokens in front of programs, by the first of them.
var begun sync.Map

// begin begins a digest with the tokens in front of a program, which are hashed once for all programs.
func begin(before []preprocess.Token) hash.Hash {
	if len(before) == 0 {
		return sha256.New()
	}
	done, ok := begun.Load(&before[0])
	if !ok {
		h := sha256.New()
		hashTokens(h, before)
		done, _ = begun.LoadOrStore(&before[0], h)
	}
	h, err := done.(hash.Cloner).Clone()
	if err != nil {
		panic(err) // SHA-256 has no errors
	}
	return h
}

// hashNotes hashes what is said of a program, and the functions that it leaves out.
func hashNotes(h hash.Hash, r *preprocess.Result) { fmt.Fprintf(h, "%v %v", r.Warnings, r.Skipped) }

// hashTokens hashes tokens with their places.
func hashTokens(h hash.Hash, tokens []preprocess.Token) {
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
	add(tokens)
	h.Write(b)
}
