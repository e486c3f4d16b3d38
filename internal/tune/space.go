package tune

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"gpupipe/internal/diag"
)

// MaxVariants bounds the variants of a space that are looked at one by one. More are drawn at random (Space.Sample).
const MaxVariants = 1_000_000

// Space is a tuning space: the cross product of the parameters' values, without what the restrictions exclude.
type Space struct {
	Params []Param
	Where  []*Expr // all must hold
	Listed []int64 // the numbers of the only variants; nil = all
	// Sample draws so many of the variants at random, always the same ones of a space; 0 = all.
	Sample int
}

// Variant is one point of a space.
type Variant struct {
	Number int64 // in the cross product, from 0: the last parameter changes fastest
	Index  []int // of the value of each parameter
}

// Names are the values of a variant by parameter.
func (s *Space) Names(v *Variant) map[string]any {
	names := make(map[string]any, len(s.Params))
	for i := range s.Params {
		names[s.Params[i].Name] = s.Params[i].Values[v.Index[i]]
	}
	return names
}

// values are those of a variant.
func (s *Space) values(v *Variant) (list []Value) {
	for i := range s.Params {
		list = append(list, s.Params[i].Values[v.Index[i]])
	}
	return list
}

// Describe writes a variant as "BX=16 TX=2".
func (s *Space) Describe(v *Variant) string {
	var parts []string
	for i := range s.Params {
		parts = append(parts, s.Params[i].Name+"="+Text(s.Params[i].Values[v.Index[i]]))
	}
	return strings.Join(parts, " ")
}

// most is the largest cross product whose points have numbers.
const most = 1 << 62

// Size is the number of points of the cross product, at most 2^62.
func (s *Space) Size() int64 {
	n := int64(1)
	for i := range s.Params {
		k := int64(len(s.Params[i].Values))
		if n > most/k {
			return most
		}
		n *= k
	}
	return n
}

// variant is the point of a number.
func (s *Space) variant(number int64) Variant {
	v := Variant{Number: number, Index: make([]int, len(s.Params))}
	for i := len(s.Params) - 1; i >= 0; i-- {
		k := int64(len(s.Params[i].Values))
		v.Index[i], number = int(number%k), number/k
	}
	return v
}

// Texts are the values of a parameter, nil if there is none of the name.
func (s *Space) Texts(name string) (list []string) {
	if i := slices.IndexFunc(s.Params, func(p Param) bool { return p.Name == name }); i >= 0 {
		for _, v := range s.Params[i].Values {
			list = append(list, Text(v))
		}
	}
	return list
}

// Number is that of the point with these values, -1 if there is none.
func (s *Space) Number(values []Value) int64 {
	n := int64(0)
	for i := range s.Params {
		k := slices.IndexFunc(s.Params[i].Values, func(v Value) bool { return Text(v) == Text(values[i]) })
		if k < 0 {
			return -1
		}
		n = n*int64(len(s.Params[i].Values)) + int64(k)
	}
	return n
}

// Variants are the points that no restriction excludes, or a sample of them, by number.
func (s *Space) Variants() ([]Variant, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	size := s.Size()
	if s.Listed != nil {
		return s.permitted(int64(len(s.Listed)), slices.Values(s.Listed))
	}
	if s.Sample > 0 && size > MaxVariants {
		return s.draw(size)
	}
	if size > MaxVariants {
		return nil, spaceError("the space has %s variants, more than the %d that can be predicted one by one",
			sizeText(size), MaxVariants).
			WithNote("predict a sample of them with --sample 1000, or give fewer values")
	}
	return s.permitted(size, func(yield func(int64) bool) {
		for n := int64(0); n < size && yield(n); n++ {
		}
	})
}

// permitted are the variants of some numbers, of which there are size, that restrictions allow.
func (s *Space) permitted(size int64, numbers iter.Seq[int64]) ([]Variant, error) {
	var list []Variant
	for n := range numbers {
		v := s.variant(n)
		ok, err := s.allowed(&v)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return nil, s.empty(size)
	}
	return s.some(list), nil
}

// some are as many of the variants as are wanted, drawn at random.
func (s *Space) some(list []Variant) []Variant {
	if s.Sample > 0 && s.Sample < len(list) {
		r := random()
		r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		list = list[:s.Sample]
		slices.SortFunc(list, byNumber)
	}
	return list
}

// drawn is how many points are tried for each that is wanted.
const drawn = 1000

// draw takes points of a large space at random.
func (s *Space) draw(size int64) ([]Variant, error) {
	r, seen := random(), map[int64]bool{}
	var list []Variant
	for tried := 0; len(list) < s.Sample && tried < drawn*s.Sample; tried++ {
		v := s.variant(r.Int64N(size))
		if seen[v.Number] {
			continue
		}
		seen[v.Number] = true
		ok, err := s.allowed(&v)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return nil, s.empty(size)
	}
	slices.SortFunc(list, byNumber)
	return list, nil
}

func byNumber(a, b Variant) int { return int(min(max(a.Number-b.Number, -1), 1)) }

// random is the same for each run, so that a sample of a space is always the same one.
func random() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func (s *Space) allowed(v *Variant) (bool, error) {
	names := s.Names(v)
	for _, w := range s.Where {
		ok, err := w.True(names)
		if err != nil {
			return false, spaceError("--where %v, at %s", err, s.Describe(v))
		}
		if !ok {
			return false, nil
		}
	}
	return true, nil
}

func (s *Space) check() error {
	seen := map[string]bool{}
	for i := range s.Params {
		p := &s.Params[i]
		if err := p.check(); err != nil {
			return spaceError("%v", err)
		}
		if seen[p.Name] {
			return spaceError("parameter %s is given twice", p.Name)
		}
		seen[p.Name] = true
	}
	return nil
}

func (s *Space) empty(size int64) error {
	e := spaceError("no variant is left: --where excludes all %s", sizeText(size))
	for _, w := range s.Where {
		e.WithNote("--where '%s'", w.Source)
	}
	return e
}

func sizeText(n int64) string {
	if n >= most {
		return "more than 10^18"
	}
	return fmt.Sprint(n)
}

// codeSpace is the code of diagnostics about a space.
const codeSpace = "SPACE"

func spaceError(format string, args ...any) *diag.Error {
	return diag.Errorf(diag.Pos{}, codeSpace, format, args...)
}
