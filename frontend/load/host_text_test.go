package load

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/host"
	"gpupipe/frontend/source"
)

// A number of C's as Go computes it: in its own type, with its own conversions.
type goNumber struct {
	kind ctypes.Kind
	i    int32
	u    uint32
	l    int64
	ul   uint64
	d    float64
}

func (n goNumber) String() string {
	switch n.kind {
	case ctypes.Int:
		return fmt.Sprint(n.i)
	case ctypes.UInt:
		return fmt.Sprintf("%du", n.u)
	case ctypes.Long:
		return fmt.Sprintf("%dl", n.l)
	case ctypes.ULong:
		return fmt.Sprintf("%dul", n.ul)
	}
	return strconv.FormatFloat(n.d, 'f', 1, 64)
}

func (n goNumber) to(k ctypes.Kind) goNumber {
	var l int64
	switch n.kind {
	case ctypes.Int:
		l = int64(n.i)
	case ctypes.UInt:
		l = int64(n.u)
	case ctypes.Long:
		l = n.l
	case ctypes.ULong:
		l = int64(n.ul)
	}
	m := goNumber{kind: k, i: int32(l), u: uint32(l), l: l, ul: uint64(l), d: float64(l)}
	if n.kind == ctypes.ULong {
		m.d = float64(n.ul)
	}
	if n.kind == ctypes.Double {
		m.d = n.d
	}
	return m
}

// apply computes a op b; ok is false where C gives no value.
func (a goNumber) apply(op string, b goNumber) (r goNumber, ok bool) {
	k := max(a.kind, b.kind)
	x, y := a.to(k), b.to(k)
	truth := func(c bool) (goNumber, bool) {
		if c {
			return goNumber{kind: ctypes.Int, i: 1}, true
		}
		return goNumber{kind: ctypes.Int}, true
	}
	r.kind = k
	switch op {
	case "<":
		return truth(k == ctypes.Int && x.i < y.i || k == ctypes.UInt && x.u < y.u || k == ctypes.Long && x.l < y.l || k == ctypes.ULong && x.ul < y.ul || k == ctypes.Double && x.d < y.d)
	case "==":
		return truth(k == ctypes.Int && x.i == y.i || k == ctypes.UInt && x.u == y.u || k == ctypes.Long && x.l == y.l || k == ctypes.ULong && x.ul == y.ul || k == ctypes.Double && x.d == y.d)
	case "+":
		r.i, r.u, r.l, r.ul, r.d = x.i+y.i, x.u+y.u, x.l+y.l, x.ul+y.ul, x.d+y.d
		return r, k != ctypes.Int || int64(r.i) == int64(x.i)+int64(y.i)
	case "-":
		r.i, r.u, r.l, r.ul, r.d = x.i-y.i, x.u-y.u, x.l-y.l, x.ul-y.ul, x.d-y.d
		return r, k != ctypes.Int || int64(r.i) == int64(x.i)-int64(y.i)
	case "*":
		r.i, r.u, r.l, r.ul, r.d = x.i*y.i, x.u*y.u, x.l*y.l, x.ul*y.ul, x.d*y.d
		return r, k != ctypes.Int || int64(r.i) == int64(x.i)*int64(y.i)
	case "/", "%":
		switch {
		case k == ctypes.Double:
			r.d = x.d / y.d
			return r, op == "/"
		case k == ctypes.Int && y.i == 0, k == ctypes.UInt && y.u == 0, k == ctypes.Long && y.l == 0, k == ctypes.ULong && y.ul == 0:
			return r, false
		case k == ctypes.Int && y.i == -1, k == ctypes.Long && y.l == -1:
			return r, false
		case op == "/" && k == ctypes.Int:
			r.i = x.i / y.i
		case op == "/" && k == ctypes.UInt:
			r.u = x.u / y.u
		case op == "/" && k == ctypes.Long:
			r.l = x.l / y.l
		case op == "/":
			r.ul = x.ul / y.ul
		case k == ctypes.Int:
			r.i = x.i % y.i
		case k == ctypes.UInt:
			r.u = x.u % y.u
		case k == ctypes.Long:
			r.l = x.l % y.l
		default:
			r.ul = x.ul % y.ul
		}
		return r, true
	}
	return r, false
}

// randomExpression is an expression of C with its value; ok is false where C gives it none.
func randomExpression(rng *rand.Rand, depth int) (text string, v goNumber, ok bool) {
	if depth == 0 || rng.IntN(5) == 0 {
		n := int32(rng.IntN(200))
		if rng.IntN(6) == 0 {
			n = rng.Int32()
		}
		v = goNumber{kind: ctypes.Int, i: n}.to([]ctypes.Kind{ctypes.Int, ctypes.Int, ctypes.UInt, ctypes.Long, ctypes.ULong, ctypes.Double}[rng.IntN(6)])
		return v.String(), v, true
	}
	x, a, ok1 := randomExpression(rng, depth-1)
	y, b, ok2 := randomExpression(rng, depth-1)
	ops := []string{"+", "-", "*", "/", "%", "<", "=="}
	op := ops[rng.IntN(len(ops))]
	if op == "%" && max(a.kind, b.kind) == ctypes.Double {
		op = "+"
	}
	if rng.IntN(8) == 0 { // the type is that of both sides
		z, c, ok3 := randomExpression(rng, depth-1)
		k := max(a.kind, b.kind)
		taken := a.to(k)
		if t, _ := c.apply("==", goNumber{kind: ctypes.Int}); t.i == 1 {
			taken = b.to(k)
		}
		return "(" + z + " ? " + x + " : " + y + ")", taken, ok1 && ok2 && ok3
	}
	v, ok = a.apply(op, b)
	return "(" + x + " " + op + " " + y + ")", v, ok && ok1 && ok2
}

// Expressions have the value that Go computes in the same types, and none where C gives none.
func TestHostExpressions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	known := 0
	for range 3000 {
		text, want, ok := randomExpression(rng, 4)
		launches := host.Launches(newLoader(&Config{File: "h", Dialect: source.CUDA}).hostText("void h() { k<<<1, 1>>>(" + text + "); }"))
		got := launches[0].Args[0]
		if !ok {
			continue
		}
		if !got.IsScalar() {
			if strings.Contains(got.Why, "overflows") { // of long, which Go wraps silently
				continue
			}
			t.Fatalf("%s is not known: %s", text, got.Why)
		}
		known++
		v := got.Scalar
		same := v.Type.Kind == want.kind
		switch want.kind {
		case ctypes.Int:
			same = same && v.Int == int64(want.i)
		case ctypes.UInt:
			same = same && v.Int == int64(want.u)
		case ctypes.Long:
			same = same && v.Int == want.l
		case ctypes.ULong:
			same = same && uint64(v.Int) == want.ul
		default:
			same = same && (v.Float == want.d || v.Float != v.Float && want.d != want.d)
		}
		if !same {
			t.Fatalf("%s is %v, want %v", text, v, want)
		}
	}
	if known < 1000 {
		t.Errorf("only %d expressions have values", known)
	}
}
