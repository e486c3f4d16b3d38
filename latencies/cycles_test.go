package latencies

import (
	"encoding/json"
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"
)

// cyc reads a number of a test table.
func cyc(t testing.TB, s string) Cycles {
	t.Helper()
	c, err := ParseCycles(s)
	if err != nil {
		t.Fatalf("ParseCycles(%q): %v", s, err)
	}
	return c
}

func TestParseCycles(t *testing.T) {
	for _, c := range []struct {
		in       string
		num, den int64
		out      string
	}{
		{"475", 475, 1, "475"},
		{"0.25", 1, 4, "0.25"},
		{"1/6", 1, 6, "1/6"},
		{"2/8", 1, 4, "0.25"},
		{"28.5", 57, 2, "28.5"},
		{"16.49", 1649, 100, "16.49"},
		{"2.5/3", 5, 6, "5/6"},
		{"0", 0, 1, "0"},
		{"007.50", 15, 2, "7.5"},
		{"999999999999999999", 999999999999999999, 1, "999999999999999999"},
	} {
		got, err := ParseCycles(c.in)
		if err != nil || got.Num() != c.num || got.Den() != c.den || got.String() != c.out {
			t.Errorf("ParseCycles(%q) = %d/%d %q, %v; want %d/%d %q", c.in, got.Num(), got.Den(), got, err, c.num,
				c.den, c.out)
		}
	}
	for _, in := range []string{"", ".", "1.", ".5", "-1", "+1", "1e3", " 1", "1/0", "0/0", "1/", "/2", "1/2/3", "0x10",
		"1_000", "٣",
		"1234567890123456789", "0.1234567890123456789"} {
		if got, err := ParseCycles(in); err == nil {
			t.Errorf("ParseCycles(%q) = %v, want an error", in, got)
		}
	}
}

func TestNewCyclesRejects(t *testing.T) {
	for _, c := range [][2]int64{{1, 0}, {-1, 2}, {1, -2}} {
		if got, err := NewCycles(c[0], c[1]); !errors.Is(err, ErrCyclesRange) {
			t.Errorf("NewCycles(%d, %d) = %v, %v; want ErrCyclesRange", c[0], c[1], got, err)
		}
	}
}

// TestCyclesArithmetic compares with math/big: equal when the result fits, an
// error when it does not, and equal numbers equal under ==.
func TestCyclesArithmetic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() Cycles {
		den := 1 + rng.Int64N(1<<rng.IntN(33))
		num := rng.Int64() >> rng.IntN(63)
		c, err := NewCycles(num, den)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	rat := func(c Cycles) *big.Rat { return big.NewRat(c.Num(), c.Den()) }
	exact, overflow := 0, 0
	for range 20000 {
		a, b := random(), random()
		ra, rb := rat(a), rat(b)
		if a.Cmp(b) != ra.Cmp(rb) {
			t.Fatalf("Cmp(%v, %v) = %d", a, b, a.Cmp(b))
		}
		for _, op := range []struct {
			name string
			f    func(Cycles) (Cycles, error)
			want func() *big.Rat
		}{
			{"Add", a.Add, func() *big.Rat { return new(big.Rat).Add(ra, rb) }},
			{"Sub", a.Sub, func() *big.Rat { return new(big.Rat).Sub(ra, rb) }},
			{"Mul", a.Mul, func() *big.Rat { return new(big.Rat).Mul(ra, rb) }},
			{"Div", a.Div, func() *big.Rat {
				if rb.Sign() == 0 {
					return big.NewRat(-1, 1)
				}
				return new(big.Rat).Quo(ra, rb)
			}},
		} {
			got, err := op.f(b)
			want := op.want()
			switch {
			case err == nil:
				exact++
				if rat(got).Cmp(want) != 0 {
					t.Fatalf("%s(%v, %v) = %v, want %v", op.name, a, b, got, want)
				}
				if same, err := NewCycles(got.Num(), got.Den()); err != nil || same != got {
					t.Fatalf("%s(%v, %v) = %v is not in its one form", op.name, a, b, got)
				}
			case !errors.Is(err, ErrCyclesRange):
				t.Fatalf("%s(%v, %v): %v", op.name, a, b, err)
			default:
				overflow++
				// Mul reduces first, so it fails only if the result does not fit; sums may also
				// fail on an intermediate product.
				if fits := want.Sign() >= 0 && want.Num().IsInt64() && want.Denom().
					IsInt64(); fits && (op.name == "Mul" || op.name == "Div") {
					t.Fatalf("%s(%v, %v) fails although %v fits", op.name, a, b, want)
				}
			}
		}
	}
	if exact < 1000 || overflow < 1000 {
		t.Errorf("%d exact and %d overflowing results: the test does not cover both", exact, overflow)
	}
}

func TestCyclesTextRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		c, err := NewCycles(rng.Int64N(1e15), 1+rng.Int64N(100000))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ParseCycles(c.String()); err != nil || got != c {
			t.Fatalf("ParseCycles(%q) = %v, %v", c, got, err)
		}
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var got Cycles
		if err := json.Unmarshal(data, &got); err != nil || got != c {
			t.Fatalf("JSON %s reads back as %v, %v; want %v", data, got, err, c)
		}
	}
	for c, want := range map[string]string{"0.25": "0.25", "1/6": `"1/6"`, "12": "12"} {
		if data, err := json.Marshal(cyc(t, c)); err != nil || string(data) != want {
			t.Errorf("JSON of %s is %s, %v; want %s", c, data, err, want)
		}
	}
}
