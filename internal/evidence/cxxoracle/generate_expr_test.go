package cxxoracle

import (
	"fmt"
	"slices"
	"strconv"
)

// Expressions and statements of random programs.

// find says what a name is where it is looked up.
func (g *generator) find(name string) string {
	for s := g.scope; s != nil; s = s.parent {
		if kind := s.names[name]; kind != "" {
			return kind
		}
	}
	return ""
}

// space is the namespace that a name means here.
func (g *generator) space(name string) *scope {
	for s := g.scope; s != nil; s = s.parent {
		if inner := s.spaces[name]; inner != nil {
			return inner
		}
	}
	return nil
}

func (g *generator) mask(e string) string { return "(" + e + ") & 255" }

func (g *generator) masked(rank int) string { return g.mask(g.sum(rank)) }

// sum is an expression of what is visible below a rank. Names of variables may be given.
func (g *generator) sum(rank int, extra ...string) string {
	e := g.leaf(rank, extra)
	for range g.rng.IntN(3) {
		op := g.pick("+", "-", "*", "^", "|", "&")
		e = fmt.Sprintf("(%s %s %s)", e, op, g.leaf(rank, extra))
		if op == "*" {
			e = "(" + g.mask(e) + ")"
		}
	}
	return e
}

// leaf is a number below 256 in size.
func (g *generator) leaf(rank int, extra []string) string {
	if len(extra) > 0 && g.one(4) {
		return "(" + g.mask("int((long)"+extra[g.rng.IntN(len(extra))]+")") + ")"
	}
	for range 30 {
		name := g.pick("a", "b", "c", "d", "V", "S", "h", "g", "f", "f", "g", "P", "n", "m", g.root)
		if r, ok := ranks[name]; ok && r > rank && r < 9 || name == "P" && (rank < everything || !g.locals) {
			continue
		}
		kind := g.find(name)
		path := ""
		if slices.Contains(extra, name) {
			return "int((long)" + name + ")" // which a pointer fits into
		}
		inside := g.scope
		for kind == "namespace" {
			s := g.space(name)
			if inside != g.scope {
				s = inside.spaces[name]
			}
			if s == nil {
				kind = ""
				break
			}
			inside = s
			path += name + "::"
			if g.one(6) {
				path = s.path + "::"
			}
			name = g.pick("a", "b", "c", "V", "S", "h", "g", "f", "n", "m")
			kind = inside.names[name]
			if ranks[name] > rank && kind != "namespace" {
				kind = ""
			}
		}
		switch kind {
		case "const":
			return path + name
		case "variable template":
			return fmt.Sprintf("%sV<%d>", path, g.rng.IntN(4))
		case "class template":
			arg := g.pick("int", "int *", "float", "const char", "double *", "short")
			s := fmt.Sprintf("%sS<%s, %d>", path, arg, g.rng.IntN(4))
			if g.one(2) {
				return fmt.Sprintf("%s{}.get(%d)", s, g.rng.IntN(9))
			}
			return s + g.pick("::a", "::v")
		case "class":
			object := fmt.Sprintf("%sP(%d).", path, g.rng.IntN(20))
			return object + g.pick("f(2)", "e", "h(3)", "c", "Q::c", "Q::h(4)", "d")
		case "function":
			if path == "" && name == "h" && g.find("c") == "const" && g.scope.names["h"] != "" {
				return "h(" + g.argument() + ")"
			}
			args := g.argument()
			if g.one(3) {
				args += ", " + g.argument()
			}
			return path + name + "(" + args + ")"
		}
	}
	return strconv.Itoa(g.rng.IntN(60))
}

// argument is one of a type that chooses among overloads.
func (g *generator) argument() string {
	if g.one(5) && g.find("S") == "class template" {
		return fmt.Sprintf("S<%s, %d>{}", g.pick("int", "char *", "float"), g.rng.IntN(4))
	}
	if g.locals && g.one(3) {
		if g.one(9) {
			return g.pick("(const int *)nullptr", "(float *)nullptr")
		}
		return g.pick("int(threadIdx.x)", "long(threadIdx.x)", "short(threadIdx.x + 1)")
	}
	return g.pick("3", "4L", "5u", "'a'", "true", "2.5", "short(7)", "(unsigned char)9", "1.5f", "6LL")
}

// block is what a kernel does: constants, loops, arrays, lambdas and values.
func (g *generator) block(depth int) {
	g.locals = true
	for range 3 + g.rng.IntN(4) {
		switch g.rng.IntN(9) {
		case 0:
			g.constant()
		case 1, 2:
			g.write(g.masked(everything))
		case 3:
			g.loops++
			step := 1 + g.rng.IntN(3)
			v := "t" + strconv.Itoa(g.loops)
			g.line("int %s = 0;", v)
			g.line("for (int a = 0; a < ((%s) & 15); a += %d) %s += 1;", g.sum(everything), step, v)
			g.write(v)
		case 4:
			g.loops++
			v := "t" + strconv.Itoa(g.loops)
			g.locals = false
			g.line("int %s[((%s) & 7) + 1] = {};", v, g.constantSum())
			g.locals = true
			g.write("int(sizeof(" + v + ") / sizeof(" + v + "[0]))")
		case 5:
			if depth > 0 {
				g.line("{")
				old := g.scope
				g.scope = newScope(old, "")
				g.block(depth - 1)
				g.scope = old
				g.line("}")
			}
		case 6:
			p := g.pick("a", "b", "x")
			t, body := g.pick("int", "auto", "long"), g.mask(g.sum(everything, p))
			g.write(fmt.Sprintf("[&](%s %s) { return %s; }(%s)", t, p, body, g.leaf(everything, nil)))
		case 7:
			g.line("if constexpr ((%s & 1) != 0) {", "("+g.constantSum()+")")
			g.write("1")
			g.line("} else {")
			g.out--
			g.write("2")
			g.line("}")
		case 8:
			g.line("switch ((%s) & 3) {", g.sum(everything))
			g.line("case 0: out[%d] = %s; break;", min(g.out, Words-1), g.masked(everything))
			g.line("case 1: out[%d] = 77;", min(g.out, Words-1))
			g.line("default: out[%d] += int(threadIdx.x);", min(g.out, Words-1))
			g.line("}")
			g.out++
		}
	}
}

// constantSum is an expression without this work item's numbers.
func (g *generator) constantSum() string {
	locals := g.locals
	g.locals = false
	defer func() { g.locals = locals }()
	return g.sum(everything)
}

func (g *generator) write(value string) {
	g.line("out[%d] = %s;", min(g.out, Words-1), value)
	g.out++
}
