// Package randomc writes random kernels in OpenCL C and says what they mean: each construct is printed as text
// and made a closure that does the same in Go. Tests run the text through compilers of theirs. A kernel ends, and
// does nothing that C leaves undefined but overflow of int, which wraps. Floats are small whole numbers, so that
// sums and products are exact in any order. For tests.
package randomc

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Kernel is
//
//	kernel void k(global int *o, global const int *q, global int *p, global float *f, int n)
//
// which reads and writes the words of o, p and f and reads those of q.
type Kernel struct {
	Text string
	p    *program
	body execFn
}

// Sizes of the buffers, in words.
const (
	SizeO = 4 + memory
	SizeQ = 16
	SizeP = 1024
	SizeF = 4 + SizeP
	// MaxN is the most that n may be.
	MaxN = 16
)

// memory is the number of words of o behind the variables, and of a private and a local array.
const memory = 8

// New makes the kernel of a seed: the same for the same seed.
func New(seed uint64) *Kernel {
	p := &program{rng: rand.New(rand.NewPCG(seed, 42)), trips: 1, counters: map[int]int32{}}
	var init [memory]int32
	for i := range init {
		init[i] = int32(p.rng.IntN(20) - 5)
	}
	p.print("{ ")
	var list []execFn
	for range 6 {
		list = append(list, p.stmt(false, false))
	}
	p.print("}")
	k := &Kernel{p: p}
	k.Text = kernelText(p.b.String(), init)
	k.body = func() flow {
		p.private, p.local = init, [memory]int32{}
		return sequence(list)
	}
	return k
}

// helpers are functions of which the kernels call some.
const helpers = `int h0(int a, int b) {
  if (a > b) return a - b; for (int i = 0; i < 3; i++) { b += a; if (b > 9) return b; } return a;
}
void h1(int *p, int a) { *p = *p * 3 + a; }
struct S { int a; short b; uchar c[2]; };
`

func h0(a, b int32) int32 {
	if a > b {
		return a - b
	}
	for range 3 {
		if b += a; b > 9 {
			return b
		}
	}
	return a
}

// kernelText wraps the text of a program; every return stores the variables.
func kernelText(body string, init [memory]int32) string {
	const store = "o[0] = v0; o[1] = v1; o[2] = v2; o[3] = v3; f[0] = f0; f[1] = f1;"
	body = strings.ReplaceAll(body, "return;", "{ "+store+" return; }")
	list := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(init)), ", "), "[]")
	return helpers + `kernel void k(global int *o, global const int *q, global int *p, global float *f, int n) {
int l = get_local_id(0), v0 = o[0], v1 = o[1], v2 = o[2], v3 = o[3]; float f0 = f[0], f1 = f[1];
int x[8] = {` + list + `}; local int t[8]; for (int i = 0; i < 8; i++) t[i] = 0;
struct S s[4]; for (int i = 0; i < 4; i++) { s[i].a = i; s[i].b = 2 - i; s[i].c[0] = i + 1; s[i].c[1] = 250; }
` + body + "\n" + store + " }\n"
}

// Run executes the kernel in Go for one work item, number 0. n is 0 to MaxN.
func (k *Kernel) Run(o, q, memory []int32, f []float32, n int32) {
	p := k.p
	copy(p.vars[:], o)
	copy(p.floats[:], f)
	p.o, p.q, p.p, p.f, p.n = o, q, memory, f, n
	for i := range p.structs {
		p.structs[i] = structure{int32(i), int16(2 - i), [2]uint8{uint8(i + 1), 250}}
	}
	clear(p.counters)
	k.body()
	copy(o, p.vars[:])
	copy(f, p.floats[:])
}

// program is what is printed so far, and its state when it runs.
type program struct {
	rng    *rand.Rand
	b      strings.Builder
	depth  int
	loops  int
	trips  int   // of all loops around together, at most
	around []int // counters of the loops around

	vars     [4]int32 // v0, v1, ...
	floats   [2]float32
	counters map[int]int32
	private  [memory]int32 // x
	local    [memory]int32 // t
	structs  [4]structure
	o, q, p  []int32
	f        []float32
	n        int32
}

// structure is struct S of the text.
type structure struct {
	a int32
	b int16
	c [2]uint8
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

func sequence(list []execFn) flow {
	for _, s := range list {
		if f := s(); f != next {
			return f
		}
	}
	return next
}

func (p *program) print(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

func (p *program) variable() int { return p.rng.IntN(len(p.vars)) }

func bit(b bool) int32 {
	if b {
		return 1
	}
	return 0
}
