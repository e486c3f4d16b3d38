package executed

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/internal/test/tools"
	"gpupipe/kernels"
)

var (
	update    = flag.Bool("update", false, "rewrite the tables of docs/evidence/tables/executed.md")
	darktable = flag.String("darktable", "", "also compare the kernels of darktable, which are in DIR")
)

// comparison is a kernel's counts at a level.
type comparison struct {
	name         string
	level        level
	ours, theirs counts
	reason       string // why they are not equal, "" if they are
}

// written are the kernels of testdata.
func written(t *testing.T) (list []*source) {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		topic := strings.TrimSuffix(filepath.Base(name), ".txtar")
		for _, f := range a.Files {
			list = append(list, &source{name: topic + "/" + f.Name, text: string(f.Data)})
		}
	}
	return list
}

// builtins are the built-in kernels in OpenCL, with what testdata/builtin.txt says of them.
func builtins(t *testing.T) (list []*source) {
	t.Helper()
	said := readSaid(t, "testdata/builtin.txt")
	for _, k := range kernels.List() {
		if k.Dialect != kernels.OpenCL {
			continue
		}
		text, err := fs.ReadFile(kernels.FS(), k.File)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, &source{name: k.Name, text: string(text), defines: slices.Clone(k.Defines),
			only: k.Function, said: said})
	}
	return list
}

// sayings are what is said of kernels in a list: each line a pattern of names, a tab and a line.
type sayings []struct{ pattern, line string }

func readSaid(t *testing.T, file string) (said sayings) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if name, what, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(line, "#") {
			said = append(said, struct{ pattern, line string }{name, what})
		}
	}
	return said
}

// of is what is said of a kernel.
func (s sayings) of(name string) (lines []string) {
	for _, x := range s {
		if ok, err := path.Match(x.pattern, name); ok && err == nil {
			lines = append(lines, x.line)
		}
	}
	return lines
}

// compareAll compares the kernels of sources at both levels, each in a subtest, or every nth.
func compareAll(t *testing.T, tc toolchain, sources []*source, every int) (list []comparison) {
	t.Helper()
	n := 0
	for _, s := range sources {
		kernels, err := cases(s)
		if err != nil {
			t.Error(err)
		}
		for _, c := range kernels {
			if n++; n%every != 0 {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				for _, l := range levels {
					x, err := c.compare(tc, t.TempDir(), l)
					if err == nil {
						list = append(list, x)
						err = x.explained()
					}
					if err != nil {
						t.Errorf("%v: %v", l, err)
					}
				}
			})
		}
	}
	return list
}

// compare counts a kernel on both sides.
func (c *kernelCase) compare(tc toolchain, dir string, l level) (x comparison, err error) {
	x = comparison{name: c.name, level: l, reason: c.reasons[l]}
	if x.theirs, err = c.execute(tc, dir, l); err != nil {
		return x, err
	}
	if x.ours, err = c.resolve(l); err != nil {
		return x, err
	}
	if l == O0 { // clang's variables are in private memory
		for _, n := range []*counts{&x.ours, &x.theirs} {
			n[privateLoads], n[privateStores] = 0, 0
		}
	}
	return x, nil
}

// differences names the classes that differ.
func (x *comparison) differences() (list []string) {
	for i := range classes {
		if x.ours[i] != x.theirs[i] {
			list = append(list, fmt.Sprintf("%v: executed %d, graph %d", i, x.theirs[i], x.ours[i]))
		}
	}
	return list
}

// explained is an error where the counts differ and nothing says why, or something does and they do not.
func (x *comparison) explained() error {
	switch d := x.differences(); {
	case len(d) > 0 && x.reason == "":
		return fmt.Errorf("%s, and nothing says why", strings.Join(d, "; "))
	case len(d) == 0 && x.reason != "":
		return fmt.Errorf("the counts are equal, but it is said why they are not: %s", x.reason)
	}
	return nil
}

// near reports whether every class differs by at most 5% of what is executed.
func (x *comparison) near() bool {
	for i := range classes {
		if d := x.ours[i] - x.theirs[i]; max(d, -d)*20 > x.theirs[i] {
			return false
		}
	}
	return true
}

// The least shares of kernels at -O2 that are near.
const (
	ownShare       = 0.95
	darktableShare = 0.92 // fewer kernels, with what few others have
)

// TestExecuted compares what the built-in kernels and those of testdata execute in oclgrind with their
// graphs, and writes docs/evidence/tables/executed.md under -update. Without FULL_TESTS it takes a part
// of them.
func TestExecuted(t *testing.T) {
	tc := findTools(t)
	every := 1
	if !*update && !tools.Full() {
		every = sampled
	}
	own := compareAll(t, tc, append(builtins(t), written(t)...), every)
	if every > 1 {
		return
	}
	checkNear(t, "the project's kernels", own, ownShare)
	writeSection(t, "summary", summary(own))
	writeSection(t, "differences", differenceTable(own))
	writeSection(t, "kernels", table(own))
}

// TestDarktable does so with the kernels of darktable, where -darktable says where they are.
func TestDarktable(t *testing.T) {
	if *darktable == "" {
		return
	}
	list := compareAll(t, findTools(t), directory(t, *darktable, "testdata/darktable.txt"), 1)
	checkNear(t, "darktable's kernels", list, darktableShare)
	writeSection(t, "darktable_summary", summary(list))
	writeSection(t, "darktable_differences", differenceTable(list))
	writeSection(t, "darktable", table(list))
}

// sampled is every how many-th kernel a short run takes.
const sampled = 25

func checkNear(t *testing.T, of string, list []comparison, share float64) {
	t.Helper()
	n, near := 0, 0
	for i := range list {
		if list[i].level == O2 {
			n++
			if list[i].near() {
				near++
			}
		}
	}
	if float64(near) < share*float64(n) {
		t.Errorf("%d of %s at -O2 are within 5%%, of %d", near, of, n)
	}
}

// directory lists the OpenCL files of a directory, with what a list says of them.
func directory(t *testing.T, dir, list string) (sources []*source) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.cl"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no kernels in %s: %v", dir, err)
	}
	said := readSaid(t, list)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, &source{name: filepath.Base(name), dir: dir, text: string(text), said: said})
	}
	return sources
}
