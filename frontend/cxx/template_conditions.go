package cxx

import (
	"strings"

	"gpupipe/frontend/constexpr"
)

// conditions marks the tokens that an #if leaves out, as far as that can be told
// before preprocessing: macros of the command line, of CUDA and of what has
// been read so far count, and a condition that cannot be evaluated holds, in all
// of its branches.
type conditions struct {
	*writer
	stack []condition
}

// condition is one open #if.
type condition struct {
	off     bool // this branch is left out
	taken   bool // a branch before this one, or this one, is certainly taken
	unknown bool // whether one is cannot be told
}

// hidden reports whether the current line is left out.
func (c *conditions) hidden() bool {
	for _, s := range c.stack {
		if s.off {
			return true
		}
	}
	return false
}

// directive follows the directive at token i, whose verb is token v.
func (c *conditions) directive(v, end int) {
	n := len(c.stack)
	switch verb := c.At(v); verb {
	case "if", "ifdef", "ifndef":
		c.stack = append(c.stack, condition{})
		c.branch(verb, v, end)
	case "elif", "else":
		if n > 0 {
			c.branch(verb, v, end)
		}
	case "endif":
		if n > 0 {
			c.stack = c.stack[:n-1]
		}
	}
}

// branch decides a branch of the innermost #if.
func (c *conditions) branch(verb string, v, end int) {
	s := &c.stack[len(c.stack)-1]
	holds, known := true, true
	switch verb {
	case "ifdef":
		holds = c.defined(c.At(v + 1))
	case "ifndef":
		holds = !c.defined(c.At(v + 1))
	case "if", "elif":
		holds, known = c.evaluate(c.List.Words(v+1, end))
	}
	s.off = s.taken || known && !holds
	if !known && !s.taken {
		s.unknown = true
	}
	s.taken = s.taken || known && holds && !s.unknown
}

func (c *conditions) defined(name string) bool {
	for _, d := range c.all.Defines {
		if n, _, _ := strings.Cut(d, "="); n == name {
			return true
		}
	}
	_, own := c.set.macros[name]
	_, prelude := c.all.LanguageMacro(name)
	return own || prelude
}

// evaluate evaluates the words of a condition.
func (c *conditions) evaluate(words []string) (holds, known bool) {
	var out []string
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "defined":
			name := ""
			if i+1 < len(words) && words[i+1] != "(" {
				name = words[i+1]
				i++
			} else if i+3 < len(words) {
				name = words[i+2]
				i += 3
			}
			if c.defined(name) {
				out = append(out, "1")
			} else {
				out = append(out, "0")
			}
		default:
			out = append(out, w)
		}
	}
	v, ok := constexpr.Eval(out, constexpr.Names{Words: func(name string) ([]string, bool) {
		if words, ok := c.all.ConstantWords(name); ok {
			return words, true
		}
		if words, ok := c.all.LanguageMacro(name); ok {
			return words, len(words) > 0
		}
		return []string{"0"}, !c.defined(name)
	}})
	return v != 0, ok
}
