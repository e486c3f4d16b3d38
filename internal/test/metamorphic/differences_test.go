package metamorphic

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/generate"
	"gpupipe/unroll"
)

// TestDifferencesAreFound: codes of one source that a compiler was told different things of differ in every kind that
// these decide.
func TestDifferencesAreFound(t *testing.T) {
	for _, c := range []struct {
		program string
		change  func(*generate.Options)
		want    string
	}{
		{"suite/fir_u1", nil, ""},
		{"suite/fir_u1", func(o *generate.Options) { o.Templates = []string{"fir:U=4"} },
			"instructions registers unrolling"},
		{"choices/loop_of_argument", func(o *generate.Options) { o.Unrolls = unrollAll(2) },
			"instructions registers unrolling"},
		{"choices/array_by_constant", func(o *generate.Options) { o.Unrolls = unrollAll(1) },
			"arrays instructions registers unrolling"},
	} {
		p := find(t, c.program)
		a, b := decided(t, p, nil), decided(t, p, c.change)
		var got []string
		for _, k := range slices.Sorted(maps.Keys(differences(a, b))) {
			got = append(got, string(k))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q: %v", c.program, s, c.want, differences(a, b))
		}
	}
}

// unrollAll unrolls the loops of all lines.
func unrollAll(factor int64) (list []unroll.UnrollChoice) {
	for line := range 300 {
		list = append(list, unroll.UnrollChoice{At: unroll.Location{Line: line + 1}, Factor: factor})
	}
	return list
}

func find(t *testing.T, name string) *program {
	t.Helper()
	all := slices.Concat(suitePrograms(t), choices(t))
	i := slices.IndexFunc(all, func(p *program) bool { return p.name == name })
	if i < 0 {
		t.Fatalf("no kernel %s", name)
	}
	return all[i]
}

func decided(t *testing.T, p *program, change func(*generate.Options)) *code {
	t.Helper()
	k, err := p.prepare(change)
	if err != nil {
		t.Fatal(err)
	}
	c, err := executed(k)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
