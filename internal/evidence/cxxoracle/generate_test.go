package cxxoracle

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Random writes the program of a seed: nested namespaces, of which names hide each other, overloads,
// specialisations, packs and constants. All is in namespace rSEED and in kernelSEED, so that programs can be
// compiled together. The kernel uses all constants, classes and functions that are not templates. Some programs are
// rejected by a compiler (ambiguous calls). All numbers are small, so that nothing overflows.
func Random(seed int) Program {
	g := &generator{rng: rand.New(rand.NewPCG(uint64(seed), 17)), root: "r" + strconv.Itoa(seed)}
	g.scope = newScope(nil, "::"+g.root)
	g.line("namespace %s {", g.root)
	g.namespace(0)
	g.line("}")
	name := "kernel" + strconv.Itoa(seed)
	g.line("__global__ void %s(int *out) {", name)
	g.scope = newScope(g.scope, "")
	if g.one(2) {
		g.line("using namespace %s;", g.root)
	} else {
		// Names of the namespace are found by its own name alone.
		g.scope = newScope(nil, "")
		g.scope.names[g.root] = "namespace"
		g.scope.spaces = map[string]*scope{g.root: g.top}
	}
	g.block(3)
	for _, use := range g.uses {
		g.line("out[%d] += %s;", Words-1, use)
	}
	g.line("}")
	g.line("// launch: %s", name)
	return Program{Topic: "random", Feature: "random", Case: strconv.Itoa(seed), Text: g.text.String()}
}

// scope is a namespace, class, function or block.
type scope struct {
	parent *scope
	path   string            // with all namespaces; "" = not one
	names  map[string]string // what a name is: "const", "namespace", "class template", "function", ...
	forms  map[string]bool   // overloads that are declared
	spaces map[string]*scope
}

func newScope(parent *scope, path string) *scope {
	return &scope{parent, path, map[string]string{}, map[string]bool{}, map[string]*scope{}}
}

// ranks bound what a body may use, so that nothing is recursive: only names of a smaller rank.
var ranks = map[string]int{"a": 0, "b": 0, "c": 0, "d": 0, "V": 1, "S": 2, "h": 3, "g": 4, "f": 5, "n": 9, "m": 9}

// everything is the rank of what may use all.
const everything = 8

type generator struct {
	rng    *rand.Rand
	root   string
	text   strings.Builder
	scope  *scope
	top    *scope
	indent int
	out    int
	loops  int
	locals bool // in a kernel: variables that are not constants, too
	uses   []string
}

func (g *generator) one(in int) bool { return g.rng.IntN(in) == 0 }

// use notes an expression of a member of the current namespace for the end of the kernel.
func (g *generator) use(format string, args ...any) {
	g.uses = append(g.uses, g.scope.path+"::"+fmt.Sprintf(format, args...))
}

func (g *generator) pick(list ...string) string { return list[g.rng.IntN(len(list))] }

func (g *generator) line(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if strings.HasPrefix(s, "}") {
		g.indent--
	}
	fmt.Fprintf(&g.text, "%s%s\n", strings.Repeat("\t", g.indent), s)
	if strings.HasSuffix(s, "{") {
		g.indent++
	}
}

// fresh picks one of the names that the scope has not declared, or "".
func (g *generator) fresh(kind string, names ...string) string {
	name := g.pick(names...)
	if old := g.scope.names[name]; old != "" && (old != "function" || kind != "function") {
		return ""
	}
	return name
}

func (g *generator) namespace(depth int) {
	if depth == 0 {
		g.top = g.scope
	}
	for range 5 + g.rng.IntN(6) {
		switch g.rng.IntN(10) {
		case 0, 1:
			g.constant()
		case 2:
			g.variableTemplate()
		case 3:
			g.classTemplate()
		case 4, 5, 6:
			g.function()
		case 7:
			g.class()
		case 8:
			if depth < 3 {
				g.nested(depth)
			}
		case 9:
			g.using()
		}
	}
}

func (g *generator) nested(depth int) {
	name := g.pick("n", "m")
	outer := g.scope
	inner := outer.spaces[name]
	if inner == nil {
		inner = newScope(outer, outer.path+"::"+name)
		outer.names[name], outer.spaces[name] = "namespace", inner
	}
	g.line("namespace %s {", name)
	g.scope = inner
	g.namespace(depth + 1)
	g.scope = outer
	g.line("}")
}

// using makes names of a nested namespace visible.
func (g *generator) using() {
	for _, space := range []string{"n", "m"} {
		inner := g.scope.spaces[space]
		if inner == nil {
			continue
		}
		for _, name := range []string{"f", "S", "a", "g", "b"} {
			kind, here := inner.names[name], g.scope.names[name]
			if kind != "" && (here == "" || kind == "function" && here == kind) && g.one(2) {
				g.scope.names[name] = kind
				g.line("using %s::%s;", space, name)
				return
			}
		}
	}
}

func (g *generator) constant() {
	if name := g.fresh("const", "a", "b", "c", "d"); name != "" {
		g.scope.names[name] = "itself"
		g.line("constexpr %s %s = %s;", g.pick("int", "int", "unsigned char", "short", "long"), name,
			g.mask(g.constantSum()))
		g.scope.names[name] = "const"
		if !g.locals {
			g.use("%s", name)
		}
	}
}

func (g *generator) variableTemplate() {
	if g.fresh("variable template", "V") == "" {
		return
	}
	p := g.pick("a", "b", "N")
	g.line("template <int %s> constexpr int V = (%s + %s) & 255;", p, p, g.sum(0, p))
	g.scope.names["V"] = "variable template"
	for _, n := range g.rng.Perm(4)[:g.rng.IntN(3)] {
		g.line("template <> constexpr int V<%d> = %s;", n, g.masked(0))
		g.use("V<%d>", n)
	}
}

func (g *generator) classTemplate() {
	if g.fresh("class template", "S") == "" {
		return
	}
	g.line("template <class T, int %[1]s> struct S {", "N")
	member := func(p ...string) {
		old := g.scope
		g.scope = newScope(old, "")
		g.scope.names["a"] = "itself"
		g.line("static constexpr int a = %s;", g.masked(1))
		for _, name := range append(p, "a") {
			g.scope.names[name] = "const"
		}
		g.line("static constexpr int v = (%s + a) & 255;", g.sum(1, p...))
		g.line("__device__ constexpr int get(int %s) const { return %s; }", g.pick("x", "a", "b"), g.masked(1))
		g.line("__device__ constexpr operator int() const { return v; }")
		g.scope = old
		g.line("};")
	}
	member("N")
	g.scope.names["S"] = "class template"
	g.use("S<double, 0>{}.get(1)")
	special := []struct{ head, args, param, use string }{
		{"class T, int N", "T *, N", "N", "char *, 1"},
		{"int N", "int, N", "N", "int, 1"},
		{"class T", "T, 2", "", "double, 2"},
		{"class T, int N", "const T, N", "N", "const int, 1"},
		{"", "int, 3", "", "int, 3"},
		{"", "float, 1", "", "float, 1"},
	}
	for _, i := range g.rng.Perm(len(special))[:g.rng.IntN(4)] {
		s := special[i]
		g.line("template <%s> struct S<%s> {", s.head, s.args)
		if s.param == "" {
			member()
		} else {
			member(s.param)
		}
		g.use("S<%s>{}.get(2)", s.use)
		g.use("S<%s>::v", s.use)
	}
}

// function declares an overload.
func (g *generator) function() {
	name := g.fresh("function", "f", "g", "h", "f")
	if name == "" {
		return
	}
	p := g.pick("x", "a", "b")
	types := []string{"int", "long", "unsigned", "char", "double", "bool", "short"}
	t, t2 := g.pick(types...), g.pick(types...)
	type form struct{ head, params, value string }
	if g.scope.names[name] == "" && !g.one(12) { // for all arguments, worse than every other overload
		g.scope.names[name] = "function"
		g.scope.forms[name+"template <class... A> A..."] = true
		g.line("template <class... A> __device__ constexpr int %s(A...) { return %s; }", name,
			g.mask(fmt.Sprintf("int(sizeof...(A)) * %d + %s", 1+g.rng.IntN(9), g.sum(ranks[name]-1))))
	}
	forms := []form{
		{"", t + " " + p, "int(" + p + ")"},
		{"", t + " " + p, "int(" + p + ") + " + strconv.Itoa(g.rng.IntN(90))},
		{"", t + " " + p + ", " + t2 + " y", "int(" + p + ") + 2 * int(y)"},
		{"template <class T> ", "T " + p, "int((long)" + p + ") + int(sizeof(T))"},
		{"template <class T> ", "T " + p + ", T y", "int((long)" + p + ") - int((long)y)"},
		{"template <class T, class U> ", "T " + p + ", U y", "int(sizeof(T)) * 8 + int(sizeof(U)) + int((long)y)"},
		{"template <class... A> ", "A... " + p, "(" + strconv.Itoa(g.rng.IntN(9)) + " + ... + int((long)" + p + "))"},
		{"template <class T, class... A> ", "T " + p + ", A... y", "int((long)" + p + ") + int(sizeof...(A)) * 5"},
		{"template <class T> ", "const T *" + p, "int(sizeof(T)) + int(" + p + " == nullptr)"},
		{"template <class T> ", "T *" + p, "int(sizeof(T)) * 3 + int(" + p + " == nullptr)"},
	}
	if g.find("S") == "class template" && ranks[name] > ranks["S"] {
		forms = append(forms, form{"template <class T, int N> ", "S<T, N> " + p, p + ".v + N"},
			form{"template <int N> ", "S<int, N> " + p, p + ".get(1) + N"},
			form{"template <class T> ", "S<T, 1> " + p, p + ".a"})
	}
	f := forms[g.rng.IntN(len(forms))]
	key := name + f.head + unnamed(f.params, p)
	if g.scope.forms[key] {
		return
	}
	g.scope.forms[key] = true
	g.scope.names[name] = "function"
	var extra []string
	if !strings.ContainsAny(f.params, "*.") {
		extra = []string{p}
	}
	old := g.scope
	g.scope = newScope(old, "")
	g.scope.names[p] = "parameter" // which hides a constant
	value := g.sum(ranks[name]-1, extra...)
	g.scope = old
	g.line("%s__device__ constexpr int %s(%s) { return (%s + %s) & 255; }", f.head, name, f.params, f.value, value)
	if f.head == "" {
		args := "1"
		if strings.Contains(f.params, ",") {
			t, args = t+", "+t2, "1, 1"
		}
		g.uses = append(g.uses, fmt.Sprintf("static_cast<int (*)(%s)>(&%s::%s)(%s)", t, g.scope.path, name, args))
	}
}

// unnamed writes parameters without the name that varies.
func unnamed(params, name string) string { return strings.Replace(params, " "+name, "", 1) }

// class declares a class with a base, both with members that hide names.
func (g *generator) class() {
	if g.fresh("class", "P") == "" {
		return
	}
	g.scope.names["P"] = "class"
	old := g.scope
	g.line("struct Q {")
	g.scope = newScope(old, "")
	g.scope.names["c"], g.scope.names["d"] = "itself", "itself"
	g.line("static constexpr int c = %s;", g.masked(2))
	g.line("int d = %s;", g.masked(2))
	g.scope = old
	g.line("__device__ constexpr int h(int x) const { return (x + d) & 255; }")
	g.line("};")
	g.line("struct P : Q {")
	g.scope = newScope(old, "")
	g.scope.names["c"], g.scope.names["d"], g.scope.names["h"] = "const", "const", "function"
	g.scope.names["f"] = "itself"
	g.line("int e = %s;", g.masked(0))
	g.line("__device__ constexpr P(int a) : e(%s) {}", g.mask(g.sum(0, "a")))
	g.line("__device__ constexpr int f(int b) const { return (%s + e) & 255; }", g.sum(everything, "b"))
	if g.one(2) {
		g.line("__device__ constexpr int h(long x) const { return (int(x) + c) & 255; }")
	}
	g.line("};")
	g.scope = old
	for _, member := range []string{"c", "d", "e", "f(3)", "h(4)", "h(5L)", "Q::h(6)"} {
		g.use("P(2).%s", member)
	}
}
