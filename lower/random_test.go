package lower

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/internal/tools"
)

// program is a random C program over int variables, written as text and
// executed in Go at once: each generator method prints a construct and returns
// a closure with its meaning.
type program struct {
	rng   *rand.Rand
	b     strings.Builder
	vars  []int32 // v0, v1, ...
	depth int
	loops int
}

type (
	evalFn func() int32
	execFn func() flow
)

// flow is how a statement ended.
type flow uint8

const (
	next flow = iota
	brk
	cont
	ret
)

func (p *program) print(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

func (p *program) variable() int { return p.rng.IntN(len(p.vars)) }

// expr prints an expression without side effects on its own operands: every
// assignment inside is sequenced by &&, ||, ?: or a comma.
func (p *program) expr(depth int) evalFn {
	if depth == 0 || p.rng.IntN(6) == 0 {
		if p.rng.IntN(2) == 0 {
			c := int32(p.rng.IntN(20) - 5)
			p.print("(%d)", c)
			return func() int32 { return c }
		}
		v := p.variable()
		p.print("v%d", v)
		return func() int32 { return p.vars[v] }
	}
	depth--
	switch p.rng.IntN(16) {
	case 0:
		p.print("-(")
		x := p.expr(depth)
		p.print(")")
		return func() int32 { return -x() }
	case 1:
		p.print("!(")
		x := p.expr(depth)
		p.print(")")
		return func() int32 { return bit(x() == 0) }
	case 2:
		p.print("(uchar)(")
		x := p.expr(depth)
		p.print(")")
		return func() int32 { return int32(uint8(x())) }
	case 3:
		p.print("(short)(")
		x := p.expr(depth)
		p.print(")")
		return func() int32 { return int32(int16(x())) }
	case 4: // division by a number that is never 0
		p.print("(")
		x := p.expr(depth)
		c := int32(p.rng.IntN(9) + 2)
		op := []string{"/", "%"}[p.rng.IntN(2)]
		p.print(" %s %d)", op, c)
		return func() int32 {
			if op == "/" {
				return x() / c
			}
			return x() % c
		}
	case 5:
		v := p.variable()
		p.print("(")
		c := p.expr(depth)
		p.print(" ? (v%d = ", v)
		x := p.expr(depth)
		p.print(") : ")
		y := p.expr(depth)
		p.print(")")
		return func() int32 {
			if c() != 0 {
				p.vars[v] = x()
				return p.vars[v]
			}
			return y()
		}
	case 6:
		v := p.variable()
		p.print("(")
		x := p.expr(depth)
		y := int32(p.rng.IntN(9))
		p.print(" && v%d++ > %d)", v, y)
		return func() int32 {
			if x() == 0 {
				return 0
			}
			p.vars[v]++
			return bit(p.vars[v]-1 > y)
		}
	case 7:
		p.print("(")
		x := p.expr(depth)
		p.print(" || ")
		y := p.expr(depth)
		p.print(")")
		return func() int32 { return bit(x() != 0 || y() != 0) }
	case 8:
		v := p.variable()
		p.print("(v%d += ", v)
		x := p.pure(depth)
		p.print(", ")
		y := p.expr(depth)
		p.print(")")
		return func() int32 { p.vars[v] += x(); return y() }
	case 9:
		p.print("(int)((uint)(")
		x := p.pure(depth)
		p.print(") >> ((")
		y := p.pure(depth)
		p.print(") & 15))")
		return func() int32 { return int32(uint32(x()) >> uint(y()&15)) }
	default:
		return p.binary(p.pure, depth)
	}
}

// pure prints an expression without assignments, for operands whose order C
// leaves open.
func (p *program) pure(depth int) evalFn {
	if depth == 0 {
		return p.expr(0)
	}
	return p.binary(p.pure, depth-1)
}

func (p *program) binary(operand func(int) evalFn, depth int) evalFn {
	ops := []string{"+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="}
	op := ops[p.rng.IntN(len(ops))]
	p.print("(")
	x := operand(depth)
	p.print(" %s ", op)
	y := operand(depth)
	p.print(")")
	return func() int32 {
		a, b := x(), y()
		switch op {
		case "+":
			return a + b
		case "-":
			return a - b
		case "*":
			return a * b
		case "&":
			return a & b
		case "|":
			return a | b
		case "^":
			return a ^ b
		case "<":
			return bit(a < b)
		case "<=":
			return bit(a <= b)
		case ">":
			return bit(a > b)
		case ">=":
			return bit(a >= b)
		case "==":
			return bit(a == b)
		}
		return bit(a != b)
	}
}

func bit(b bool) int32 { return int32(b2i(b)) }

func (p *program) block(n int, inLoop, inSwitch bool) execFn {
	p.print("{ ")
	var list []execFn
	for range n {
		list = append(list, p.stmt(inLoop, inSwitch))
	}
	p.print("} ")
	return func() flow {
		for _, s := range list {
			if f := s(); f != next {
				return f
			}
		}
		return next
	}
}

func (p *program) stmt(inLoop, inSwitch bool) execFn {
	p.depth++
	defer func() { p.depth-- }()
	kind := p.rng.IntN(14)
	if p.depth > 5 {
		kind = 0
	}
	switch kind {
	case 1, 2, 3:
		p.print("if (")
		c := p.expr(2)
		p.print(") ")
		then := p.block(1+p.rng.IntN(2), inLoop, inSwitch)
		if p.rng.IntN(2) == 0 {
			return func() flow {
				if c() != 0 {
					return then()
				}
				return next
			}
		}
		p.print("else ")
		els := p.block(1+p.rng.IntN(2), inLoop, inSwitch)
		return func() flow {
			if c() != 0 {
				return then()
			}
			return els()
		}
	case 4, 5, 6:
		return p.loop()
	case 7:
		return p.switchStmt(inLoop)
	case 8:
		if inLoop || inSwitch {
			p.print("if (")
			c := p.expr(1)
			p.print(") break; ")
			return when(c, brk)
		}
	case 9:
		if inLoop {
			p.print("if (")
			c := p.expr(1)
			p.print(") continue; ")
			return when(c, cont)
		}
	case 10:
		if p.rng.IntN(4) == 0 {
			p.print("if (")
			c := p.expr(1)
			p.print(") return; ")
			return when(c, ret)
		}
	}
	v := p.variable()
	switch p.rng.IntN(4) {
	case 0:
		p.print("v%d++; ", v)
		return func() flow { p.vars[v]++; return next }
	case 1:
		p.print("v%d -= ", v)
		x := p.pure(2)
		p.print("; ")
		return func() flow { p.vars[v] -= x(); return next }
	}
	p.print("v%d = ", v)
	x := p.expr(3)
	p.print("; ")
	return func() flow { p.vars[v] = x(); return next }
}

func when(c evalFn, f flow) execFn {
	return func() flow {
		if c() != 0 {
			return f
		}
		return next
	}
}

// loop prints a loop that runs at most a few times by a counter of its own.
func (p *program) loop() execFn {
	p.loops++
	id, n := p.loops, p.rng.IntN(4)+1
	kind := p.rng.IntN(3)
	var c evalFn
	switch kind {
	case 0:
		p.print("for (int c%d = 0; c%d < %d; c%d++) ", id, id, n, id)
	case 1:
		p.print("int c%d = 0; while (c%d++ < %d && (", id, id, n)
		c = p.expr(2)
		p.print(")) ")
	case 2:
		p.print("int c%d = 0; do ", id)
	}
	body := p.block(1+p.rng.IntN(3), true, false)
	if kind == 2 {
		p.print("while (++c%d < %d && (", id, n)
		c = p.expr(2)
		p.print(")); ")
	}
	return func() flow {
		for i := 0; ; i++ {
			switch kind {
			case 0:
				if i >= n {
					return next
				}
			case 1:
				if i >= n || c() == 0 {
					return next
				}
			}
			if f := body(); f == brk {
				return next
			} else if f == ret {
				return ret
			}
			if kind == 2 && (i+1 >= n || c() == 0) {
				return next
			}
		}
	}
}

func (p *program) switchStmt(inLoop bool) execFn {
	p.print("switch ((")
	x := p.expr(2)
	p.print(") & 3) { ")
	n := p.rng.IntN(4) + 1
	def := p.rng.IntN(n + 1) // n = no default
	bodies := make([]execFn, n)
	for i := range n {
		if i == def {
			p.print("default: ")
		} else {
			p.print("case %d: ", i)
		}
		bodies[i] = p.block(1, inLoop, true)
		if p.rng.IntN(2) == 0 {
			p.print("break; ")
			body := bodies[i]
			bodies[i] = func() flow {
				if f := body(); f != next {
					return f
				}
				return brk
			}
		}
	}
	p.print("} ")
	return func() flow {
		at := int(x() & 3)
		if at >= n || at == def {
			at = def
		}
		for ; at < n; at++ {
			if f := bodies[at](); f == brk {
				return next
			} else if f != next {
				return f
			}
		}
		return next
	}
}

// randomKernel wraps a program's text; every return stores the variables.
func randomKernel(body string) string {
	const store = "o[0] = v0; o[1] = v1; o[2] = v2; o[3] = v3;"
	body = strings.ReplaceAll(body, "return;", "{ "+store+" return; }")
	return "kernel void k(global int *o) { int v0 = o[0], v1 = o[1], v2 = o[2], v3 = o[3];\n" + body + "\n" +
		store + " }\n"
}

// TestRandomPrograms: the lowered program computes what the Go closures do.
func TestRandomPrograms(t *testing.T) {
	n := tools.Cases(400, 50)
	for seed := range n {
		p := &program{rng: rand.New(rand.NewPCG(uint64(seed), 42)), vars: make([]int32, 4)}
		body := p.block(6, false, false)
		text := randomKernel(p.b.String())
		k := mustLower(t, ast.OpenCL, text, "")
		for _, in := range [][]int32{{0, 0, 0, 0}, {1, -2, 3, 4}, {100, 7, -9, 1 << 30}} {
			copy(p.vars, in)
			body()
			o := words(in...)
			if err := executeKernel(k, map[string][]byte{"o": o}, nil, nil); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			for i, want := range p.vars {
				if got := int32(binary.LittleEndian.Uint32(o[4*i:])); got != want {
					t.Fatalf("seed %d, input %v: v%d = %d, want %d\n%s\n%s", seed, in, i, got, want, text, k)
				}
			}
		}
	}
}
