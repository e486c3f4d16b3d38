package spelling

import (
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"mmul", "mmul-08", "convolution", "add-dependent", "vadd", "gtx1060", "gtx1060-p19", "x"}
	for _, c := range []struct {
		word string
		want []string
	}{
		{"mmull", []string{"mmul"}},
		{"mmlu", []string{"mmul"}},
		{"convolve", []string{"convolution"}},
		{"ADD_DEPENDENT", []string{"add-dependent"}},
		{"1060", []string{"gtx1060", "gtx1060-p19"}},
		{"mmul", []string{"mmul-08"}},
		{"y", nil},
		{"", nil},
		{"something else", nil},
	} {
		if got := Nearest(c.word, known); !slices.Equal(got, c.want) {
			t.Errorf("Nearest(%q) = %v, want %v", c.word, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "ab", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		if got := distance(c.a, c.b, 9); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := distance(c.b, c.a, 9); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	for _, c := range []struct {
		known []string
		want  string
	}{
		{nil, ""},
		{[]string{"vadd"}, "did you mean vadd?"},
		{[]string{"vadd", "vads"}, "did you mean vadd or vads?"},
		{[]string{"vadd", "vads", "vade"}, "did you mean vadd, vade or vads?"},
	} {
		if got := DidYouMean("vadx", c.known); got != c.want {
			t.Errorf("DidYouMean over %v = %q, want %q", c.known, got, c.want)
		}
	}
}

func TestKnown(t *testing.T) {
	many := []string{"add", "barrier", "copy", "division", "exp", "fft", "mmul"}
	for _, c := range []struct {
		word  string
		known []string
		want  string
	}{
		{"x", nil, ""},
		{"mmull", many, "did you mean mmul?"},
		{"zz", []string{"one", "two"}, "the kernels: one, two"},
		{"zz", many, "the nearest of 7 kernels: add, copy, exp, fft, mmul"},
	} {
		if got := Known("kernels", c.word, c.known); got != c.want {
			t.Errorf("Known(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}
