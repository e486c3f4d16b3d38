package cxx

import (
	"slices"
	"strings"

	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
)

// Reader reads the declarations of a file.
type Reader struct {
	*source.File
	words *Words
}

// Mark returns the first of the keywords that one of tokens i to j is or
// stands for.
func (r *Reader) Mark(i, j int, keywords ...string) string {
	for ; i < j; i++ {
		if r.KindOf(i) == tokens.Ident && !r.Tokens[i].InDirective {
			if k := r.words.Marks[r.At(i)]; slices.Contains(keywords, k) {
				return k
			}
		}
	}
	return ""
}

// EachItem visits the declarations at file scope, those in namespaces and
// extern "C" included, with the namespace around them.
func (r *Reader) EachItem(visit func(i, end int, namespace string)) {
	type open struct {
		closing int
		name    string
	}
	var stack []open
	n := len(r.Tokens)
	for i := r.Next(-1); i < n; {
		for len(stack) > 0 && i > stack[len(stack)-1].closing {
			stack = stack[:len(stack)-1]
		}
		switch s := r.At(i); {
		case s == ";" || s == "}":
			i = r.Next(i)
		case s == "namespace" || s == "inline" && r.Is(r.Next(i), "namespace"):
			var name []string
			j := i
			for ; j < n && !r.Is(j, "{") && !r.Is(j, ";"); j = r.Next(j) {
				if r.KindOf(j) == tokens.Ident && r.At(j) != "namespace" && r.At(j) != "inline" {
					name = append(name, r.At(j))
				}
			}
			if c := r.Shape.Closing(j); r.Is(j, "{") && c > j {
				outer := ""
				if len(stack) > 0 {
					outer = stack[len(stack)-1].name
				}
				if len(name) > 0 {
					outer = strings.Join(name, "::")
				}
				stack = append(stack, open{c, outer})
			}
			i = r.Next(j)
		case s == "extern" && r.Next(i) < n && r.KindOf(r.Next(i)) == tokens.String:
			j := r.Next(i)
			if k := r.Next(j); r.Is(k, "{") {
				j = k
			}
			i = r.Next(j)
		default:
			end := r.ItemEnd(i)
			namespace := ""
			if len(stack) > 0 {
				namespace = stack[len(stack)-1].name
			}
			visit(i, end, namespace)
			i = r.Next(end - 1)
		}
	}
}

// ItemEnd returns the end of the item that starts at token i: behind the body
// of a function, or behind the semicolon.
func (r *Reader) ItemEnd(i int) int {
	outer := r.Shape.Parent[i]
	callOf := r.words.Marks[r.At(i)] != "" && r.At(i)[0] != '_' && r.Is(r.Next(i), "(")
	for k := i; k < len(r.Tokens); k++ {
		if r.Tokens[k].InDirective || r.KindOf(k) != tokens.Punct {
			continue
		}
		switch r.At(k) {
		case "(", "[":
			c := r.Shape.Closing(k)
			if c < 0 {
				continue
			}
			k = c
			if n := r.Next(c); callOf && n < len(r.Tokens) && r.KindOf(n) == tokens.Ident {
				return c + 1 // a macro that makes a kernel, without a semicolon
			}
			callOf = false
		case "{":
			c := r.Shape.Closing(k)
			if c < 0 {
				continue
			}
			if r.Shape.Kinds[k] == tokens.Block {
				return c + 1
			}
			k = c
		case "}":
			if r.Shape.Parent[k] == outer {
				return k + 1
			}
		case ";":
			if r.Shape.Parent[k] == outer {
				return k + 1
			}
		}
	}
	return len(r.Tokens)
}

// Head is what the start of an item says about it.
type Head struct {
	Body       int // the { of a function, or end
	IsFunction bool
	Name       string
}

func (r *Reader) Head(i, end int) Head {
	h := Head{Body: end}
	if i >= len(r.Tokens) {
		return h
	}
	outer := r.Shape.Parent[i]
	for k := i; k < end; k++ {
		if r.Tokens[k].InDirective || r.Shape.Parent[k] != outer {
			continue
		}
		switch r.At(k) {
		case "=":
			if !h.IsFunction {
				return h
			}
		case "(":
			if r.Is(i, "typedef") && r.Is(r.Next(k), "*") {
				return h // of a pointer to a function
			}
			if p := r.Prev(k); p >= i && !h.IsFunction && r.KindOf(p) == tokens.Ident && !AttributeWord(r.At(p)) {
				h.IsFunction = true
				h.Name = r.At(p)
			} else if o := r.Prev(p); !h.IsFunction && o >= i && (r.Is(o, "operator") || r.Is(r.Prev(o), "operator")) {
				h.IsFunction = true
				h.Name = "operator" + r.At(p)
			}
		case "{":
			if r.Shape.Kinds[k] == tokens.Block {
				h.Body = k
				return h
			}
		}
	}
	return h
}

// AttributeWord reports whether a parenthesis behind the word is not that of a
// function's parameters.
func AttributeWord(s string) bool {
	switch s {
	case "__launch_bounds__", "__align__", "__attribute__", "alignas", "decltype", "__declspec", "noexcept", "__maxnreg__", "__cluster_dims__", "__block_size__":
		return true
	}
	return false
}
