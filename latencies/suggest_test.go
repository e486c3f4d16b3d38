package latencies

import (
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"fma", "mul", "mulhi", "max", "add", "select"}
	for word, want := range map[string][]string{
		"fam": {"fma"}, "mull": {"mul"}, "selcet": {"select"}, "mux": {"mul", "max"}, "zzz": nil, "": nil, "mulh": {"mul", "mulhi"},
	} {
		if got := nearest(word, known); !slices.Equal(got, want) {
			t.Errorf("nearest(%q) = %v, want %v", word, got, want)
		}
	}
	for in, want := range map[string]string{"fam": "; did you mean fma?", "mux": "; did you mean mul or max?", "zzz": ""} {
		if got := didYouMean(in, known); got != want {
			t.Errorf("didYouMean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"same", "same", 0}, {"latencey", "latency", 1}} {
		if got := editDistance(c.a, c.b); got != c.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
