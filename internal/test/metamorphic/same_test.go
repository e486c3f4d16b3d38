package metamorphic

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpupipe/internal/test/tools"
)

var update = flag.Bool("update", false, "rewrite the list of known failures")

const knownFile = "testdata/known_failures.txt"

// TestSameCode: what launches show of a kernel's code is the same for all of them, but for known failures, and so is
// what the compiler makes, without any.
func TestSameCode(t *testing.T) {
	if *update && !tools.Full() {
		t.Fatal("the list is of all kernels: set FULL_TESTS=1")
	}
	known := readKnown(t)
	var mu sync.Mutex
	found := map[string]string{}
	list := programs(t)
	t.Run("kernels", func(t *testing.T) {
		for _, p := range list {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				all := prepareAll(t, p)
				for k, list := range compare(t, all, compiled) {
					t.Errorf("compiled: %s: %v", k, list)
				}
				differ := compare(t, all, executed)
				mu.Lock()
				defer mu.Unlock()
				for _, k := range kinds {
					key := p.name + " " + string(k)
					var names []string
					for _, d := range differ[k] {
						names = append(names, d.launch)
					}
					found[key] = strings.Join(names, " ")
					if found[key] != known[key] && !*update {
						t.Errorf("%s: launches that differ: %q, known: %q%v", key, found[key], known[key], differ[k])
					}
				}
			})
		}
	})
	if *update {
		writeKnown(t, list, found)
	}
}

// difference is what a launch shows of the code that differs from what the usual one does.
type difference struct{ launch, what string }

func (d difference) String() string { return fmt.Sprintf("\n%s: %s", d.launch, d.what) }

// prepareAll lowers a program for the usual launch, the first one, and for the others. What is given to the compiler is
// the same for all.
func prepareAll(t *testing.T, p *program) []*prepared {
	t.Helper()
	base, err := p.prepare(nil)
	if err != nil {
		t.Fatal(err)
	}
	given, all := input(base), []*prepared{base}
	for _, l := range launches {
		k, err := l.prepare(p, base)
		if err != nil {
			t.Fatalf("%s: %v", l.name, err)
		}
		if d := cmp.Diff(given, input(k)); d != "" {
			t.Errorf("%s: the compiler is given something else (-usual +other):\n%s", l.name, d)
		}
		all = append(all, k)
	}
	return all
}

// compare compares the code that launches show, or that a compiler makes for them, with that of the usual launch.
func compare(t *testing.T, all []*prepared, decide func(*prepared) (*code, error)) map[kind][]difference {
	t.Helper()
	var usual *code
	out := map[kind][]difference{}
	for i, k := range all {
		c, err := decide(k)
		switch {
		case err != nil && i == 0:
			t.Fatal(err)
		case err != nil:
			t.Fatalf("%s: %v", launches[i-1].name, err)
		case i == 0:
			usual = c
			continue
		}
		for k, what := range differences(usual, c) {
			out[k] = append(out[k], difference{launches[i-1].name, what})
		}
	}
	return out
}

// readKnown reads the known failures: by "KERNEL KIND" the launches that differ.
func readKnown(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(knownFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	known := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, names, ok := strings.Cut(line, ": ")
		name, k, two := strings.Cut(key, " ")
		if !ok || !two || name == "" || !slices.Contains(kinds, kind(k)) || known[key] != "" {
			t.Fatalf("%s: %q", knownFile, line)
		}
		known[key] = names
	}
	return known
}

func writeKnown(t *testing.T, list []*program, found map[string]string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("# What differs between launches of one code: KERNEL KIND: LAUNCHES\n")
	for _, p := range list {
		for _, k := range kinds {
			if key := p.name + " " + string(k); found[key] != "" {
				fmt.Fprintf(&b, "%s: %s\n", key, found[key])
			}
		}
	}
	if err := os.WriteFile(knownFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}
