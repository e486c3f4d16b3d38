package preprocess

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// prefixes are what the texts in front of programs leave, by prefixKey: the variants of one program have the same.
var prefixes sync.Map

type prefixKey struct {
	texts  string
	limits Limits
}

// before preprocesses the texts in front of all, or takes what that has left before. They are the language's own and
// few; what they include is looked for each time.
func (p *Preprocessor) before() {
	var b strings.Builder
	for _, f := range p.cfg.Before {
		b.WriteString(f.Name + "\n" + f.Text + "\n")
	}
	key := prefixKey{b.String(), p.limits}
	if done, ok := prefixes.Load(key); ok {
		done.(*Preprocessor).resume(p)
		p.out.Before = done.(*Preprocessor).out.Tokens
		return
	}
	for _, f := range p.cfg.Before {
		p.file(f.Name, "", f.Text)
	}
	if p.opened+len(p.missing)+len(p.once)+len(p.kept)+len(p.out.Errors)+len(p.out.Warnings)+len(p.out.Skipped) == 0 {
		done := &Preprocessor{out: &Result{}}
		p.resume(done)
		prefixes.Store(key, done)
		p.out.Before = done.out.Tokens
	}
}

// resume gives another run what this one has read so far.
func (p *Preprocessor) resume(other *Preprocessor) {
	other.bytes, other.spent, other.brackets, other.counter = p.bytes, p.spent, p.brackets, p.counter
	other.out.Tokens = append(make([]Token, 0, len(p.out.Tokens)+len(other.cfg.Text)/bytesPerToken), p.out.Tokens...)
	other.out.Files = maps.Clone(p.out.Files)
	other.out.Conditions = slices.Clone(p.out.Conditions)
	copies := make([]macro, 0, len(p.macros)) // expansion changes them
	other.macros = make(map[string]*macro, len(p.macros))
	for name, m := range p.macros {
		copies = append(copies, *m)
		other.macros[name] = &copies[len(copies)-1]
	}
}
