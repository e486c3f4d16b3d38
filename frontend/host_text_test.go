package frontend

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"gpupipe/frontend/host"
)

// A number of C's as Go computes it: in its own type, with its own conversions.
type goNumber struct {
	kind Kind
	i    int32
	u    uint32
	l    int64
	ul   uint64
	d    float64
}

func (n goNumber) String() string {
	switch n.kind {
	case Int:
		return fmt.Sprint(n.i)
	case UInt:
		return fmt.Sprintf("%du", n.u)
	case Long:
		return fmt.Sprintf("%dl", n.l)
	case ULong:
		return fmt.Sprintf("%dul", n.ul)
	}
	return strconv.FormatFloat(n.d, 'f', 1, 64)
}

func (n goNumber) to(k Kind) goNumber {
	var l int64
	switch n.kind {
	case Int:
		l = int64(n.i)
	case UInt:
		l = int64(n.u)
	case Long:
		l = n.l
	case ULong:
		l = int64(n.ul)
	}
	m := goNumber{kind: k, i: int32(l), u: uint32(l), l: l, ul: uint64(l), d: float64(l)}
	if n.kind == ULong {
		m.d = float64(n.ul)
	}
	if n.kind == Double {
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
			return goNumber{kind: Int, i: 1}, true
		}
		return goNumber{kind: Int}, true
	}
	r.kind = k
	switch op {
	case "<":
		return truth(k == Int && x.i < y.i || k == UInt && x.u < y.u || k == Long && x.l < y.l || k == ULong && x.ul < y.ul || k == Double && x.d < y.d)
	case "==":
		return truth(k == Int && x.i == y.i || k == UInt && x.u == y.u || k == Long && x.l == y.l || k == ULong && x.ul == y.ul || k == Double && x.d == y.d)
	case "+":
		r.i, r.u, r.l, r.ul, r.d = x.i+y.i, x.u+y.u, x.l+y.l, x.ul+y.ul, x.d+y.d
		return r, k != Int || int64(r.i) == int64(x.i)+int64(y.i)
	case "-":
		r.i, r.u, r.l, r.ul, r.d = x.i-y.i, x.u-y.u, x.l-y.l, x.ul-y.ul, x.d-y.d
		return r, k != Int || int64(r.i) == int64(x.i)-int64(y.i)
	case "*":
		r.i, r.u, r.l, r.ul, r.d = x.i*y.i, x.u*y.u, x.l*y.l, x.ul*y.ul, x.d*y.d
		return r, k != Int || int64(r.i) == int64(x.i)*int64(y.i)
	case "/", "%":
		switch {
		case k == Double:
			r.d = x.d / y.d
			return r, op == "/"
		case k == Int && y.i == 0, k == UInt && y.u == 0, k == Long && y.l == 0, k == ULong && y.ul == 0:
			return r, false
		case k == Int && y.i == -1, k == Long && y.l == -1:
			return r, false
		case op == "/" && k == Int:
			r.i = x.i / y.i
		case op == "/" && k == UInt:
			r.u = x.u / y.u
		case op == "/" && k == Long:
			r.l = x.l / y.l
		case op == "/":
			r.ul = x.ul / y.ul
		case k == Int:
			r.i = x.i % y.i
		case k == UInt:
			r.u = x.u % y.u
		case k == Long:
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
		v = goNumber{kind: Int, i: n}.to([]Kind{Int, Int, UInt, Long, ULong, Double}[rng.IntN(6)])
		return v.String(), v, true
	}
	x, a, ok1 := randomExpression(rng, depth-1)
	y, b, ok2 := randomExpression(rng, depth-1)
	ops := []string{"+", "-", "*", "/", "%", "<", "=="}
	op := ops[rng.IntN(len(ops))]
	if op == "%" && max(a.kind, b.kind) == Double {
		op = "+"
	}
	if rng.IntN(8) == 0 { // the type is that of both sides
		z, c, ok3 := randomExpression(rng, depth-1)
		k := max(a.kind, b.kind)
		taken := a.to(k)
		if t, _ := c.apply("==", goNumber{kind: Int}); t.i == 1 {
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
		launches := host.Launches(newLoader(&Config{File: "h", Dialect: CUDA}).hostText("void h() { k<<<1, 1>>>(" + text + "); }"))
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
		case Int:
			same = same && v.Int == int64(want.i)
		case UInt:
			same = same && v.Int == int64(want.u)
		case Long:
			same = same && v.Int == want.l
		case ULong:
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

// fuzzedKernels are the kernels of FuzzHostLaunches.
const fuzzedKernels = `
__global__ void k(float *a, int n, float s) { a[threadIdx.x] = n * s; }
template <typename T, int N> __global__ void t(T *a) { a[threadIdx.x] = N; }
`

// Whatever the text is, reading its host code ends, the same way twice, and knows of no launch that
// no device takes.
func FuzzHostLaunches(f *testing.F) {
	for _, seed := range []string{
		" k<<<4, 128>>>(a, 7, 2.5f);", " dim3 g(1, 2); g.x = 3; for (;;) k<<<g, {1, 2}>>>(a);", "} template <int N> void r() { k<<<N, N>>>(0); } int main() { r<4>();",
		" switch (3) { case 3: auto f = [&](int i) { k<<<i, 2>>>(a, i, 1); }; goto x; x: f(3); }", " int n{4}; if (int m = n; m) { n >>= 1; } else do n++; while (n); k<<<n?1:2,n--,sizeof(float4)>>>(a);",
		"} int f(int n) { return f(n - 1); } void g() { k<<<f(3), 4>>>(0, 1, 2);", " hipLaunchKernelGGL(HIP_KERNEL_NAME(t<float, 4>), dim3(3), 4, 0, 0, a);", " try { k<<<1,1>>>(a,1,1); } catch (...) { throw; }",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		cfg := Config{File: "k.cu", Text: fuzzedKernels + "void h(float *a) {" + text + " }", Dialect: CUDA}
		show := func() string {
			h := readHost(&cfg)
			if h == nil {
				return ""
			}
			return fmt.Sprintf("%+v", summaries(host.Launches(h)))
		}
		if a, b := show(), show(); a != b {
			t.Errorf("two runs differ:\n%s\n%s", a, b)
		}
		u, err := Parse(cfg)
		if err != nil {
			if strings.Contains(err.Error(), codeInternal) {
				t.Fatal(err)
			}
			return
		}
		for _, k := range u.Kernels {
			for _, h := range k.HostLaunches {
				for i := range 3 {
					if h.Groups[i] < 0 || h.Groups[i] > mostGroups[i] || h.Local[i] < 0 || h.Local[i] > mostItems[i] {
						t.Errorf("%v", h)
					}
				}
			}
		}
	})
}

// summaries are launches without their pointers.
func summaries(list []host.Launch) (out []string) {
	for _, l := range list {
		s := fmt.Sprint(l.Pos, l.Kernel, l.Shared.Why, l.Grid.Why, l.Block.Why)
		for _, d := range []*[3]int64{l.Grid.Extents, l.Block.Extents} {
			if d != nil {
				s += fmt.Sprint(*d)
			}
		}
		out = append(out, s)
	}
	return out
}
