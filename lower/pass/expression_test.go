package pass_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/internal/test/golden"
	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/tools"
	"gpupipe/lower/pass"
	"gpupipe/lower/profile"
)

// expressions writes random straight code, in which operations meet those that rules of simplification look for: their
// own operands again, special constants, conversions there and back, conditions as numbers.
type expressions struct {
	rng   *rand.Rand
	b     strings.Builder
	n     int
	known map[string][]string // values by type
}

// working are the types that expressions have, each with what converts to it.
var working = map[string][]string{"u32": {"u8", "s8", "u16", "s32", "u64", "f32"},
	"s32": {"s8", "u8", "s16", "u32", "s64"},
	"u64": {"u32", "s32", "u8", "s64"}, "s64": {"s32", "u32", "s16", "u64"}, "f32": {"s32", "u32", "u8", "f64"}}

var widths = map[string]int{"u8": 8, "s8": 8, "u16": 16, "s16": 16, "u32": 32, "s32": 32, "u64": 64, "s64": 64,
	"f32": 32, "f64": 64}

// loaded are the types of a kernel's buffers, by its parameters, and what values of others are made of.
var (
	loaded = []string{"u32", "s64", "f32"}
	made   = [][3]string{{"bitcast", "s32", "u32"}, {"bitcast", "u64", "s64"}, {"convert", "u8", "u32"},
		{"convert", "s8", "s32"}, {"convert", "u16", "u32"}, {"convert", "s16", "s32"}, {"convert", "f64", "f32"}}
)

// expressionKernel is the text of the kernel of a seed.
func expressionKernel(seed uint64) string {
	e := &expressions{rng: rand.New(rand.NewPCG(seed, 5)), known: map[string][]string{}}
	e.b.WriteString("kernel k rounded\n")
	for i, t := range loaded {
		fmt.Fprintf(&e.b, "param p%d ptr -> @p%[1]d ctype \"%s *\"\n", i, t)
	}
	for i, t := range loaded {
		fmt.Fprintf(&e.b, "object @p%d global %s\n", i, t)
	}
	e.b.WriteString("{\n")
	for i, t := range loaded {
		e.value(t, "load.global.%s p%d", t, i)
		p := e.value("ptr", "ptradd.s64 p%d, %d * 1 subscript", i, widths[t]/8)
		e.value(t, "load.global.%s %s", t, p)
	}
	for _, m := range made {
		for _, v := range e.known[m[2]][:2] {
			e.value(m[1], "%s.%s.%s %s", m[0], m[1], m[2], v)
		}
	}
	types := []string{"u32", "s32", "u64", "s64", "f32", "u32"}
	t := types[seed%uint64(len(types))]
	for i := range 6 {
		v := e.expr(t, 4)
		p := e.value("ptr", "ptradd.s64 p%d, %d * 1 subscript", map[string]int{"u32": 0, "s32": 0, "u64": 1, "s64": 1,
			"f32": 2}[t], 16+8*i)
		fmt.Fprintf(&e.b, "  store.global.%s %s, %s\n", t, p, v)
	}
	e.b.WriteString("  yield\n}\n")
	return e.b.String()
}

// value writes an instruction and names its result.
func (e *expressions) value(typ, format string, args ...any) string {
	e.n++
	name := fmt.Sprintf("%%%d", e.n)
	fmt.Fprintf(&e.b, "  %s = %s\n", name, fmt.Sprintf(format, args...))
	e.known[typ] = append(e.known[typ], name)
	return name
}

func (e *expressions) one(list ...string) string { return list[e.rng.IntN(len(list))] }

// constant is one of which rules are: 0, 1, all ones, a power of two, a mask.
func (e *expressions) constant(t string) string {
	if t == "f32" {
		return e.one("0.0", "-0.0", "1.0", "-1.0", "2.0", "0.5", "3.0")
	}
	list := []string{"0", "1", "2", "3", "7", "8", "31", "32", "255", "65535", "100"}
	switch t {
	case "u32":
		list = append(list, "4294967295", "4294967288", "2147483648")
	case "u64":
		list = append(list, "18446744073709551615", "4294967295")
	default:
		list = append(list, "-1", "-8", "-128")
	}
	return e.one(list...)
}

func (e *expressions) expr(t string, depth int) string {
	if list := e.known[t]; depth == 0 || e.rng.IntN(6) == 0 {
		return list[e.rng.IntN(len(list))]
	}
	a := e.expr(t, depth-1)
	b := e.constant(t)
	if e.rng.IntN(2) == 0 {
		b = e.expr(t, depth-2+min(1, max(0, 2-depth)))
	}
	switch k := e.rng.IntN(12); {
	case k == 0:
		return e.value(t, "select.%s %s, %s, %s", t, e.condition(depth-1), a, b)
	case k == 1:
		return e.value(t, "select.%s %s, %s, %s", t, e.condition(depth-1),
			map[bool]string{true: "1.0", false: "1"}[t == "f32"], map[bool]string{true: "0.0", false: "0"}[t == "f32"])
	case k < 4:
		return e.convert(t, depth)
	case t == "f32":
		if k < 7 {
			return e.value(t, "%s.f32 %s", e.one("neg", "abs"), a)
		}
		return e.value(t, "%s.f32 %s, %s", e.one("add", "sub", "mul", "min", "max"), a, b)
	case k == 4:
		return e.value(t, "%s.%s %s", e.one("not", "neg", "not"), t, a)
	case k == 5:
		return e.value(t, "%s.%s %s, %s", e.one("shl", "shr"), t, a, e.one("1", "3", "8", "16", "24"))
	case k == 6:
		c := e.one("1", "2", "3", "7", "8", "10", "64")
		return e.value(t, "%s.%s %s, %s", e.one("div", "rem", "mul"), t, a, c)
	}
	return e.value(t, "%s.%s %s, %s", e.one("add", "sub", "and", "or", "xor", "add", "sub", "min", "max", "mul"), t,
		a, b)
}

// convert is a value of another type, which may come from a narrower one again.
func (e *expressions) convert(t string, depth int) string {
	from := e.one(working[t]...)
	if widths[from] == widths[t] && from != "f32" && t != "f32" {
		return e.value(t, "bitcast.%s.%s %s", t, from, e.expr(from, depth-1))
	}
	v := e.one(e.known[from]...)
	if working[from] != nil {
		v = e.expr(from, depth-1)
	} else if from != "f64" && t != "f32" { // there and back
		v = e.value(from, "convert.%s.%s %s", from, t, e.expr(t, depth-1))
	}
	if from == "f32" && t == "u32" {
		return e.value(t, "bitcast.u32.f32 %s", v)
	}
	return e.value(t, "convert.%s.%s %s", t, from, v)
}

func (e *expressions) condition(depth int) string {
	depth = max(depth, 0)
	switch k := e.rng.IntN(6); {
	case depth > 1 && k == 0:
		return e.value("pred", "not.pred %s", e.condition(depth-1))
	case depth > 1 && k == 1:
		return e.value("pred", "%s.pred %s, %s", e.one("and", "or", "xor"), e.condition(depth-1), e.condition(depth-1))
	}
	t := e.one("u32", "s32", "u64", "s64", "f32")
	b := e.constant(t)
	a := e.expr(t, depth)
	if e.rng.IntN(2) == 0 {
		b = e.expr(t, depth/2)
	}
	return e.value("pred", "%s.%s %s, %s", e.one("eq", "ne", "lt", "le", "gt", "ge"), t, a, b)
}

// TestExpressions: the passes over values keep what random expressions compute.
func TestExpressions(t *testing.T) {
	var list []pass.Pass
	for _, name := range []string{"simplify", "simplify again", "reassociate", "gvn", "simplify"} {
		list = append(list, *step(name))
	}
	executed := 0
	n := tools.Cases(2000, 250)
	for seed := range uint64(n) {
		text := expressionKernel(seed)
		f, err := irtest.Parse(text)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		expected := irtest.Expect(f, 6)
		executed += expected.Executed
		c := &profile.Context{Profile: profileNamed("")}
		for _, p := range list {
			p.Run(f, c)
		}
		if expected.Check(f) == nil {
			continue
		}
		if f, err = irtest.Parse(text); err != nil {
			t.Fatal(err)
		}
		if name, err := firstChange(f, expected, list, c); err != nil {
			t.Errorf("seed %d: %s: %v", seed, name, err)
		}
	}
	if executed < 3*n {
		t.Errorf("only %d executions of %d kernels", executed, n)
	}
}

// TestSimplified compares what simplification leaves of some random expressions with testdata/expressions.txtar.
func TestSimplified(t *testing.T) {
	golden.Check(t, "testdata/expressions.txtar", *update, func(t *testing.T, _ *txtar.Archive) (out []txtar.File) {
		for seed := range uint64(30) {
			f, err := irtest.Parse(expressionKernel(seed))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"simplify", "simplify again"} {
				step(name).Run(f, &profile.Context{Profile: profileNamed("")})
			}
			text := f.String()
			_, text, _ = strings.Cut(text, "\n{\n")
			out = append(out, txtar.File{Name: fmt.Sprint("seed ", seed), Data: []byte(text)})
		}
		return out
	})
}
