package cxx

import (
	"slices"
	"strings"

	"gpupipe/frontend/tokens"
)

// Classes that are derived from others have their data as a first member, through which typing finds what they inherit;
// those without data have none. Values that members have in a class are given by its constructors, or by one that is made
// of them:
//
//	struct D : B { int n = 3; };    struct D { B __kl_base_B; int n; };
//	                                D __kl_new_D() { D __kl_this = {.n = (3)}; return __kl_this; }

// memberValue is the value that a member has in the class.
type memberValue struct {
	name, text string // of an initialiser: ".n = (3)"
}

// bases are the classes behind the colon at token k, without templates' arguments, and the token behind them.
func (w *memberWriter) bases(k, end int) (names []string, open int) {
	if !w.Is(k, ":") {
		return nil, k
	}
	open = w.Find(k, end, "{")
	for i := w.Next(k); i < open; i = w.Next(i) {
		if n := w.At(w.Next(i)); w.KindOf(i) == tokens.Ident && (n == "," || n == "{") {
			names = append(names, w.At(i))
		} else if !w.Is(i, ",") && !w.Is(i, "::") && w.KindOf(i) != tokens.Ident || w.Is(i, "virtual") {
			return nil, k
		}
	}
	for i, name := range names {
		if m := w.structs[name]; m != nil {
			names[i] = m.Name
		} else if _, known := w.set.Types[name]; !known || slices.Index(names, name) != i {
			return nil, k
		}
	}
	return names, open
}

// inherit lets a class find the types and static members of those that it is derived from.
func (w *memberWriter) inherit(m *Members) {
	for _, name := range m.Bases {
		if base := w.structs[name]; base != nil {
			for inner, outside := range base.renamed {
				m.renamed[inner] = outside
			}
		}
	}
}

// writeBases writes the members that hold the data of a class's bases, and reports whether there are any.
func (w *memberWriter) writeBases(m *Members, open int) (written bool) {
	for _, name := range m.Bases {
		if base := w.structs[name]; base == nil || !base.Empty {
			w.out.Insert(" "+name+" "+BaseMark+name+";", w.File, int(w.Tokens[open].Start))
			written = true
		}
	}
	return written
}

// memberNamed is the member that a constructor's list of initialisers names: a base by the name of its class.
func (w *memberWriter) memberNamed(m *Members, name string) string {
	if base := w.structs[name]; base != nil {
		name = base.Name
	}
	if slices.Contains(m.Bases, name) {
		return BaseMark + name
	}
	return name
}

// value finds the value of a declarator between tokens i and end of a class whose { is token open: the = or { before
// it, the end of it, and the member's name.
func (w *memberWriter) value(i, end, open int) (from, to int, name string) {
	for k := i; k < end; k++ {
		if w.Tokens[k].InDirective || w.Shape.Parent[k] != int32(open) || !w.Is(k, "=") && !w.Is(k, "{") {
			continue
		}
		p := w.Prev(k)
		for w.Is(p, "]") && w.Shape.Match[p] > 0 {
			p = w.Prev(int(w.Shape.Match[p]))
		}
		if w.KindOf(p) != tokens.Ident || p <= i {
			return -1, -1, ""
		}
		to = k + 1
		if w.Is(k, "{") {
			to = w.Shape.Closing(k) + 1
		}
		for depth := 0; to < end; to++ {
			if w.Shape.Parent[to] != int32(open) {
				continue
			}
			switch s := w.At(to); {
			case s == "<" && w.set.Find(w.At(w.Prev(to))) != nil:
				depth++
			case s == ">" && depth > 0:
				depth--
			case depth == 0 && (s == "," || s == ";"):
				return k, to, w.At(p)
			}
		}
		return k, end, w.At(p)
	}
	return -1, -1, ""
}

// isType reports whether a member is a nested type, of which the braces are no value.
func (w *memberWriter) isType(d memberDecl) bool {
	return w.Has(d.start, w.Find(d.start, d.end, "{", ";", "="), "struct", "union", "enum", "class")
}

// hasValues reports whether a member has a value in the class.
func (w *memberWriter) hasValues(members []memberDecl, open int) bool {
	for _, d := range members {
		if d.kind == memberField && !w.isType(d) {
			if from, _, _ := w.value(d.start, d.end, open); from >= 0 {
				return true
			}
		}
	}
	return false
}

// field writes a member without its values, and keeps these.
func (w *memberWriter) field(d memberDecl, open int, self *memberScope) {
	k := d.start
	for !w.isType(d) {
		from, to, name := w.value(k, d.end, open)
		if from < 0 {
			break
		}
		w.code(k, from, self)
		first := from
		if w.Is(from, "=") {
			first = w.Next(from)
		}
		text := tokens.JoinWords(w.renamedWords(first, to, self))
		if !strings.HasPrefix(text, "{") {
			text = "(" + text + ")"
		} else if strings.Join(strings.Fields(text), "") == "{}" {
			text = "{0}"
		}
		self.defaults = append(self.defaults, memberValue{name, "." + name + " = " + text})
		w.skip(to)
		k = to
	}
	w.code(k, d.end, self)
}

// renamedWords are words of a class's text outside of it.
func (w *memberWriter) renamedWords(i, j int, self *memberScope) []string {
	words := w.Words(i, j)
	for n, word := range words {
		if outside := self.renamed[word]; outside != "" {
			words[n] = outside
		}
	}
	return words
}

// initialised are the members that a constructor's list of initialisers gives values, which starts at token k.
func (w *memberWriter) initialised(k, end int) map[string]bool {
	names := map[string]bool{}
	for w.Is(k, ":") || w.Is(k, ",") {
		field := w.Next(k)
		to := w.Shape.Closing(w.Next(field))
		if to < 0 || to >= end {
			break
		}
		names[w.At(field)] = true
		k = w.Next(to)
	}
	return names
}

// initially spells the initialiser of a class's members that have values, but of those that a constructor gives one.
func (s *memberScope) initially(given map[string]bool) string {
	var parts []string
	for _, v := range s.defaults {
		if !given[v.name] && !given[s.Name] {
			parts = append(parts, v.text)
		}
	}
	for _, base := range s.made {
		if !given[base] && !given[s.Name] {
			parts = append([]string{"." + BaseMark + base + " = " + ConstructorPrefix + base + "()"}, parts...)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " = {" + strings.Join(parts, ", ") + "}"
}

// takesNothing reports whether a constructor can be called without arguments.
func (w *memberWriter) takesNothing(d memberDecl) bool {
	open := w.parameterList(d)
	words := w.Words(open+1, max(open+1, w.Shape.Closing(open)))
	return len(words) == 0 || len(words) == 1 && words[0] == "void" || slices.Contains(tokens.SplitWords(words)[0], "=")
}

// defaultConstructor writes the constructor of a class without one whose members have values, or whose base is made.
func (w *memberWriter) defaultConstructor(self *memberScope, at int) {
	for _, name := range self.Bases {
		if base := w.structs[name]; base != nil && (base.bare || base.Default) && !base.Empty {
			self.made = append(self.made, base.Name)
		}
	}
	if value := self.initially(nil); value != "" && !self.Made {
		self.Default = true
		w.out.Insert("\n__device__ "+self.Name+" "+ConstructorPrefix+self.Name+"() { "+self.Name+" "+This+value+"; return "+This+"; }", w.File, at)
	}
}
