package unroll_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes random kernels that every compiler accepts, whose control
// flow and addresses never depend on a loaded value, and whose loops end:
//
//	kernel void k(global int *a, global short *b, global int4 *v, int n, uint m, long q)
//
// Every loaded value goes into d, which every exit stores, so that no load is
// dead.
type generator struct {
	rng    *rand.Rand
	out    strings.Builder
	indent int
	vars   []variable // whose contents are known
	locals []string   // pointers into a
	names  int
	budget int // statements left
	loops  []bool
	// barriers: the kernel has barriers in uniform control flow, and no work item
	// leaves early.
	barriers  bool
	divergent int // branches and loops around that lanes may pass differently
	inSwitch  bool
	helper    bool // writing a helper function: no memory
	tables    bool // there are private arrays c and e whose contents are known
	counted   bool // each iteration of a loop stores to a place of its own in count, and all is as in C
	rewrites  bool // stores to a are followed by others to the same place
	calls     int  // helper functions that can be called
}

type variable struct {
	name, typ string
	fixed     bool // a loop's counter: not to be assigned
}

var integerTypes = []string{"int", "int", "int", "uint", "uint", "long", "ulong", "short", "ushort", "char", "uchar"}

// generateKernel returns the text of a random kernel named "k".
func generateKernel(seed uint64) string {
	g := &generator{rewrites: seed%4 == 3}
	return g.kernel(seed)
}

// generateCounted returns a kernel as C has it on the host: without functions and conversions of OpenCL, and
// with one more argument, global int *count, and a store to count[N] at the beginning of each iteration of
// loop N.
func generateCounted(seed uint64) string {
	g := &generator{counted: true}
	return g.kernel(seed)
}

func (g *generator) kernel(seed uint64) string {
	g.rng = rand.New(rand.NewPCG(seed, 20))
	for range g.rng.IntN(3) {
		g.helperFunction()
	}
	g.barriers = g.rng.IntN(3) == 0
	g.budget = 6 + g.rng.IntN(14)
	more := ""
	if g.counted {
		more = ", global int *count"
	}
	g.line("kernel void k(global int *a, global short *b, global int4 *v, int n, uint m, long q%s)", more)
	g.open("")
	g.line("local int s[64];")
	g.line("int id = get_local_id(0);")
	g.line("int p[8], t[3];")
	if g.tables = g.rng.IntN(2) == 0 && !g.counted; g.tables { // arrays whose contents are known
		g.line("int c[8] = {%d, -1, id, 3, id * 5, 12, %d, 7};", g.rng.IntN(9), g.rng.IntN(99))
		g.line("short e[4] = {%d, id, -3, 9};", g.rng.IntN(99))
	}
	g.line("int d = 0;")
	g.vars = []variable{{"n", "int", false}, {"m", "uint", false}, {"q", "long", false}}
	g.line("uint gid = get_global_id(0) + get_local_id(1) * 3;")
	g.vars = append(g.vars, variable{"id", "int", false}, variable{"gid", "uint", false})
	for g.budget > 0 {
		g.statement()
	}
	g.line("a[get_local_id(0)] = d;")
	g.close()
	return g.out.String()
}

func (g *generator) helperFunction() {
	g.helper = true
	g.budget = 4
	g.vars = []variable{{"x", "int", false}, {"y", "int", false}}
	g.line("int h%d(int x, int y)", g.calls)
	g.open("")
	for g.budget > 0 {
		g.statement()
	}
	g.line("return %s;", g.expr(2))
	g.close()
	g.calls++
	g.vars, g.helper = nil, false
}

func (g *generator) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !strings.HasPrefix(text, "#") {
		g.out.WriteString(strings.Repeat("    ", g.indent))
	}
	g.out.WriteString(text + "\n")
}

func (g *generator) open(head string) {
	g.line("%s", strings.TrimSpace(head+" {"))
	g.indent++
}

func (g *generator) close() {
	g.indent--
	g.line("}")
}

func (g *generator) name(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

func (g *generator) pick(list ...string) string { return list[g.rng.IntN(len(list))] }

// block writes a nested block of up to three statements.
func (g *generator) block() {
	vars, locals := len(g.vars), len(g.locals)
	for i := range 1 + g.rng.IntN(3) {
		if i == 0 || g.budget > 0 {
			g.statement()
		}
	}
	g.vars, g.locals = g.vars[:vars], g.locals[:locals]
}

func (g *generator) statement() {
	g.budget--
	deep := g.indent > 4 || g.budget < 0
	switch n := g.rng.IntN(100); {
	case n < 10:
		g.declare()
	case n < 22:
		g.assign()
	case n < 45 && !g.helper:
		g.memory()
	case n < 60 && !deep:
		g.branch()
	case n < 80 && !deep:
		g.loop()
	case n < 84 && !deep:
		g.switchCase()
	case n < 88 && len(g.loops) > 0:
		g.jump()
	case n < 90 && !g.barriers && g.indent > 1:
		g.returnEarly()
	case n < 95 && g.barriers && g.divergent == 0 && !g.helper:
		g.line("barrier(%s);", g.pick("CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE"))
	default:
		g.assign()
	}
}

func (g *generator) declare() {
	v := variable{g.name("x"), integerTypes[g.rng.IntN(len(integerTypes))], false}
	g.line("%s %s = %s;", v.typ, v.name, g.expr(3))
	g.vars = append(g.vars, v)
}

func (g *generator) assign() {
	if g.tables && !g.helper && g.rng.IntN(5) == 0 {
		v := g.vars[g.rng.IntN(len(g.vars))].name
		g.line("%s %s %s;", g.pick("c["+v+" & 7]", "e["+v+" & 3]", "c[2]", "e[0]"), g.pick("=", "+=", "^="), g.expr(2))
		return
	}
	v := g.vars[g.rng.IntN(len(g.vars))]
	if v.fixed {
		return
	}
	switch g.rng.IntN(5) {
	case 0:
		g.line("%s%s;", v.name, g.pick("++", "--"))
	case 1:
		g.line("%s %s= %s;", v.name, g.pick("+", "-", "*", "&", "|", "^"), g.expr(2))
	case 2:
		g.line("%s %s= %d;", v.name, g.pick("<<", ">>", "%", "/"), 1+g.rng.IntN(6))
	default:
		g.line("%s = %s;", v.name, g.expr(3))
	}
}

// expr is an integer expression of known contents.
func (g *generator) expr(depth int) string {
	if depth == 0 || g.rng.IntN(4) == 0 {
		return g.leaf()
	}
	e := func() string { return g.expr(depth - 1) }
	switch g.rng.IntN(20) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", e(), g.pick("+", "-", "*"), e())
	case 4, 5:
		return fmt.Sprintf("(%s %s %s)", e(), g.pick("&", "|", "^"), e())
	case 6:
		return fmt.Sprintf("(%s %s (%s | 1))", e(), g.pick("/", "%"), e())
	case 7:
		return fmt.Sprintf("(%s %s %d)", e(), g.pick("/", "%"), 1+g.rng.IntN(9))
	case 8:
		return fmt.Sprintf("(%s %s (%s & 7))", e(), g.pick("<<", ">>"), e())
	case 9:
		return fmt.Sprintf("(%s ? %s : %s)", g.cond(depth-1), e(), e())
	case 10:
		return fmt.Sprintf("(%s)(%s)", g.pick("int", "uint", "long", "short", "uchar", "char", "ushort"), e())
	case 11:
		return fmt.Sprintf("(%s%s)", g.pick("-", "~", "!"), e())
	case 12:
		return fmt.Sprintf("%s((int)%s, (int)%s)", g.pick("min", "max", "mul_hi"), e(), e())
	case 13:
		if g.calls > 0 {
			return fmt.Sprintf("h%d((int)%s, (int)%s)", g.rng.IntN(g.calls), e(), e())
		}
		return fmt.Sprintf("(int)abs((int)%s)", e())
	case 14:
		return fmt.Sprintf("(%s)", g.cond(depth-1))
	case 15, 16:
		if g.counted {
			return e() // in C, shifts beyond the width and the like are not defined
		}
		return g.edge(e)
	case 17:
		if g.counted {
			return e()
		}
		return g.function(e)
	}
	return fmt.Sprintf("mad24(%d, 3, (int)%s)", g.rng.IntN(9), e())
}

func (g *generator) leaf() string {
	if g.tables && !g.helper && g.rng.IntN(6) == 0 {
		v := g.vars[g.rng.IntN(len(g.vars))].name
		return g.pick("c["+v+" & 7]", "e["+v+" & 3]", "c[3]", "e[1]")
	}
	switch g.rng.IntN(12) {
	case 0, 1:
		return fmt.Sprint(g.rng.IntN(12))
	case 2:
		return g.pick("(-1)", "(-7)", "100u", "0x7fffffff", "3000000000u", "5000000000L", "255", "(-2147483647-1)",
			"33", "64", "(-9223372036854775807L-1)")
	case 3:
		if !g.helper {
			return g.pick("get_local_id(0)", "get_global_id(0)", "get_group_id(0)", "get_local_size(0)",
				"get_local_id(1)", "(int)get_global_size(0)")
		}
	}
	return g.vars[g.rng.IntN(len(g.vars))].name
}

func (g *generator) cond(depth int) string {
	switch g.rng.IntN(6) {
	case 0:
		return fmt.Sprintf("((%s & 3) %s %d)", g.expr(max(0, depth)), g.pick("==", "!="), g.rng.IntN(4))
	case 1:
		if depth > 0 {
			return fmt.Sprintf("(%s %s %s)", g.cond(depth-1), g.pick("&&", "||"), g.cond(depth-1))
		}
	case 2:
		if depth > 0 {
			return "!" + g.cond(depth-1)
		}
	}
	return fmt.Sprintf("(%s %s %s)", g.expr(max(0, depth)), g.pick("<", "<=", ">", ">=", "==", "!="),
		g.expr(max(0, depth)))
}

// index is a subscript from 0 to limit-1, a power of two.
func (g *generator) index(limit int) string {
	if g.rng.IntN(4) == 0 {
		return fmt.Sprint(g.rng.IntN(limit))
	}
	return fmt.Sprintf("%s & %d", g.expr(2), limit-1)
}

// memory writes loads and stores of every kind.
func (g *generator) memory() {
	value := fmt.Sprintf("d + (int)%s", g.expr(1))
	if g.rng.IntN(12) == 0 { // what a quotient by zero is nobody knows
		value = fmt.Sprintf("d + (int)(%s %s %s)", g.expr(1), g.pick("/", "%"), g.expr(1))
	}
	switch g.rng.IntN(18) {
	case 0, 1:
		g.line("d = d * 3 + a[%s];", g.index(64))
	case 2, 3:
		at := g.index(64)
		g.line("a[%s] = %s;", at, value)
		if g.rewrites {
			g.line("%s", g.pick("", "d += a["+g.index(64)+"];", "d += b["+g.index(32)+"];", "s["+g.index(64)+"] = d;",
				"a["+g.index(64)+"] = d;", "if ("+g.cond(1)+") d += s["+g.index(64)+"];"))
			g.line("a[%s] = d;", at)
		}
	case 4:
		g.line("d += b[%s];", g.index(32))
	case 5:
		g.line("b[%s] = (short)(%s);", g.index(32), value)
	case 6:
		g.line("s[%s] = %s;", g.index(64), value)
	case 7:
		g.line("d ^= s[%s];", g.index(64))
	case 8:
		g.line("p[%s] = %s;", g.index(8), value)
	case 9:
		g.line("d += p[%s];", g.index(8))
	case 10:
		g.line("t[%d] = %s; d += t[%d];", g.rng.IntN(3), value, g.rng.IntN(3))
	case 11:
		name := g.name("w")
		g.line("int4 %s = v[%s]; d += %s.x - %s.w;", name, g.index(8), name, name)
	case 12:
		g.line("%s;", g.pick("v["+g.index(8)+"] = (int4)(d, n, d, 1)", "v["+g.index(8)+"].y = d",
			"vstore2((int2)(d, 1), "+g.index(8)+", a)"))
	case 13:
		name := g.name("w")
		g.line("int2 %s = vload2(%s, a); d += %s.x + %s.y;", name, g.index(8), name, name)
	case 14:
		g.line("%s;", g.pick("atomic_add(&a["+g.index(64)+"], d)", "d ^= atomic_xchg(&s["+g.index(64)+"], 3)",
			"atomic_max(a + ("+g.index(16)+"), d)"))
	case 15:
		g.line("global int *%s = a + (%s);", g.name("r"), g.index(16))
		g.locals = append(g.locals, fmt.Sprintf("r%d", g.names))
	default:
		if len(g.locals) == 0 {
			g.line("a[%s] += %s;", g.index(64), value)
			return
		}
		r := g.locals[g.rng.IntN(len(g.locals))]
		switch g.rng.IntN(6) {
		case 0:
			g.line("%s += %s;", r, g.index(4))
		case 1:
			g.line("*%s++ = d;", r)
		case 2:
			g.line("d += %s[%s];", r, g.index(8))
		case 3:
			g.line("%s = %s ? a + (%s) : %s;", r, g.cond(1), g.index(8), r)
		case 4:
			g.line("d += (int)(%s - a) + *%s;", r, r)
		case 5:
			g.line("%s[%s] = d;", r, g.index(8))
		}
	}
}

func (g *generator) branch() {
	g.divergent++
	defer func() { g.divergent-- }()
	cond := g.cond(2)
	if g.rng.IntN(5) == 0 {
		if v := g.vars[g.rng.IntN(len(g.vars))]; !v.fixed {
			cond = fmt.Sprintf("%s %s %s++ > %d", cond, g.pick("&&", "||"), v.name, g.rng.IntN(9))
		}
	}
	g.open("if (" + cond + ")")
	g.block()
	if g.rng.IntN(2) == 0 {
		g.indent--
		g.open("} else")
		g.block()
	}
	g.close()
}

// bound is a small trip count, often different between lanes.
func (g *generator) bound() string {
	if g.rng.IntN(3) == 0 {
		return fmt.Sprint(g.rng.IntN(8))
	}
	return fmt.Sprintf("(int)(%s & %d)", g.expr(2), []int{3, 7, 15}[g.rng.IntN(3)])
}

// loopText is a loop to be written around a block of statements.
type loopText struct {
	before   string // a declaration in front
	head     string
	first    string // the body's first statement
	tail     string // a do loop's condition
	counters []variable
	uniform  bool
}

func (g *generator) loop() {
	l := g.loopText(g.name("i"))
	if l.before != "" {
		g.line("%s", l.before)
	}
	switch g.rng.IntN(10) {
	case 0:
		g.line("#pragma unroll")
	case 1:
		g.line("#pragma unroll %d", 1+g.rng.IntN(5))
	case 2:
		g.line("#pragma nounroll")
	case 3:
		g.line("__attribute__((opencl_unroll_hint(%d)))", 1+g.rng.IntN(4))
	}
	vars, inSwitch := len(g.vars), g.inSwitch
	g.vars, g.inSwitch = append(g.vars, l.counters...), false
	g.loops = append(g.loops, l.uniform)
	if !l.uniform {
		g.divergent++
	}
	g.open(l.head)
	if g.counted && !g.helper {
		g.line("count[%d] = 1;", g.names)
	}
	if l.first != "" {
		g.line("%s", l.first)
	}
	g.block()
	g.indent--
	g.line("%s", strings.TrimSpace("} "+l.tail))
	if !l.uniform {
		g.divergent--
	}
	g.loops = g.loops[:len(g.loops)-1]
	g.vars, g.inSwitch = g.vars[:vars], inSwitch
}

func (g *generator) loopText(i string) loopText {
	counter := variable{i, "int", true}
	l := loopText{counters: []variable{counter}}
	switch g.rng.IntN(16) {
	default:
		l.uniform = true
		l.head = fmt.Sprintf("for (int %s = %d; %s < %d; %s += %d)", i, g.rng.IntN(3), i, g.rng.IntN(9), i,
			1+g.rng.IntN(3))
	case 0, 1:
		t := g.pick("int", "uint", "short", "uchar", "long", "size_t")
		l.head = fmt.Sprintf("for (%s %s = %s & 3; %s %s %s; %s)", t, i, g.expr(1), i, g.pick("<", "<="), g.bound(),
			g.pick(i+"++", "++"+i, i+" += 2", i+" = "+i+" + 3"))
	case 2:
		e := g.name("e")
		l.before = fmt.Sprintf("%s %s = %s;", g.pick("int", "uint", "short"), e, g.bound())
		l.head = fmt.Sprintf("for (int %s = 0; %s != (int)%s; %s++)", i, i, e, i)
		l.counters = append(l.counters, variable{e, "int", true})
	case 3:
		l.head = fmt.Sprintf("for (int %s = %s; %s %s 0; %s)", i, g.bound(), i, g.pick(">", ">="),
			g.pick(i+"--", i+" -= 2"))
	case 4:
		l.head = fmt.Sprintf("for (%s %s = %s; %s > 0; %s)", g.pick("int", "uint"), i, g.bound(), i,
			g.pick(i+" >>= 1", i+" /= 2"))
	case 5:
		l.head = fmt.Sprintf("for (%s %s = 1; %s <= %s; %s)", g.pick("int", "long"), i, i, g.bound(),
			g.pick(i+" *= 2", i+" <<= 1"))
	case 6:
		l.before = fmt.Sprintf("int %s = %s;", i, g.bound())
		l.head = fmt.Sprintf("while (%s-- > 0)", i)
	case 7:
		l.before = fmt.Sprintf("int %s = %s;", i, g.bound())
		l.head, l.tail = "do", fmt.Sprintf("while (--%s > 0);", i)
	case 8: // the body changes the counter
		l.head = fmt.Sprintf("for (int %s = 0; %s < %s; %s++)", i, i, g.bound(), i)
		l.first = fmt.Sprintf("if (%s) %s += 2;", g.cond(1), i)
	case 9: // an exit in the middle
		l.head = fmt.Sprintf("for (int %s = 0;; %s++)", i, i)
		l.first = fmt.Sprintf("if (%s >= %s) break;", i, g.bound())
	case 10:
		j := g.name("j")
		l.head = fmt.Sprintf("for (int %s = 0, %s = %s; %s < %s; %s++, %s--)", i, j, g.bound(), i, j, i, j)
		l.counters = append(l.counters, variable{j, "int", true})
	}
	return l
}

func (g *generator) switchCase() {
	g.divergent++
	outer := g.inSwitch
	g.inSwitch = true
	g.open(fmt.Sprintf("switch (%s & 3)", g.expr(2)))
	byDefault := g.rng.IntN(4) // the case that is the default one, if any
	for c := range 3 {
		if c == byDefault {
			g.line("default:")
		} else {
			g.line("case %d:", c)
		}
		vars, locals := len(g.vars), len(g.locals)
		g.open("")
		g.block()
		g.close()
		g.vars, g.locals = g.vars[:vars], g.locals[:locals]
		if g.rng.IntN(2) == 0 {
			g.line("break;")
		}
	}
	g.close()
	g.inSwitch = outer
	g.divergent--
}

// jump leaves or continues the innermost loop, in a kernel with barriers only
// one whose lanes may differ.
func (g *generator) jump() {
	if g.barriers && g.loops[len(g.loops)-1] {
		return
	}
	word := "continue"
	if !g.inSwitch && g.rng.IntN(2) == 0 {
		word = "break"
	}
	g.line("if (%s) %s;", g.cond(1), word)
}

func (g *generator) returnEarly() {
	if g.helper {
		g.line("if (%s) return %s;", g.cond(1), g.expr(1))
		return
	}
	g.open("if (" + g.cond(1) + ")")
	g.line("a[get_local_id(0)] = d;")
	g.line("return;")
	g.close()
}
