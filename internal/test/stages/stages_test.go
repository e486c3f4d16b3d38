package stages

import (
	"bytes"
	"flag"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/test/irtest"
	"gpupipe/lower"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
	"gpupipe/lower/profile"
	"gpupipe/lower/translate"
	"gpupipe/unroll"
	"gpupipe/unroll/walk"
)

var update = flag.Bool("update", false, "rewrite testdata/stages.txt")

// targets are whom kernels are compiled by and for.
var targets = [][2]string{{"sm_90", "nvcc-13"}, {"gfx90a", "clang-amdgcn-14"}, {"sm_52", "nvcc-11.8"},
	{"gfx1030", "clang-amdgcn-14"}, {"sm_80", "clang-nvptx-14"}}

// TestStages: the stages make of each kernel what testdata/stages.txt has as digests: the typed tree, and for two of
// the targets IR, machine code and graph, with the steps that executing it takes. It shows what a change moves, meant
// or not.
func TestStages(t *testing.T) {
	var lines []string
	seen := map[string]bool{} // built-in kernels share files
	t.Run("sources", func(t *testing.T) {
		for _, source := range sources(t) {
			u, err := frontend.Parse(source.Config)
			if err != nil {
				t.Fatal(err)
			}
			tree := digest(u.String())
			if seen[tree] {
				continue
			}
			seen[tree] = true
			i, first := len(lines), int(crc32.ChecksumIEEE([]byte(source.name))) // whatever files there are beside it
			lines = append(lines, source.name+": tree "+tree)
			t.Run(source.name, func(t *testing.T) {
				t.Parallel()
				for k, fn := range u.Kernels {
					for n := range 2 {
						by := targets[(first+k+n)%len(targets)]
						text, err := stages(u, fn, by[0], by[1])
						if err != nil {
							text = strings.Join(strings.Fields(err.Error()), " ")
						}
						lines[i] += fmt.Sprintf("; %s %s %s", fn.Name, by[0], text)
					}
				}
			})
		}
	})
	got := strings.Join(lines, "\n") + "\n"
	const file = "testdata/stages.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		want[name] = rest
	}
	for _, line := range lines {
		name, rest, _ := strings.Cut(line, ": ")
		if rest != want[name] {
			t.Errorf("%s: got  %s\nwant %s", name, rest, want[name])
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("%s is gone", name)
	}
}

// source is a file of kernels.
type source struct {
	name string
	frontend.Config
}

// sources are those of package irtest and of the golden files of passes.
func sources(t *testing.T) (list []source) {
	for name, c := range irtest.Sources(t) {
		list = append(list, source{name, c})
	}
	names, err := filepath.Glob("../../../lower/pass/testdata/*/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no kernels", err)
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if f := a.Files[0]; filepath.Ext(f.Name) != "" {
			name := filepath.Base(filepath.Dir(name)) + "/" + strings.TrimSuffix(filepath.Base(name), ".txtar")
			list = append(list, source{name, irtest.Config(f.Name, string(f.Data))})
		}
	}
	return list
}

// stages are digests of what is made of a kernel.
func stages(u *ast.Unit, fn *ast.Function, target, compiler string) (string, error) {
	k, err := translate.Kernel(u, fn)
	if err != nil {
		return "", err
	}
	o := compile.Options{Level: 2}
	if o.Target, err = machine.LookupTarget(target); err != nil {
		return "", err
	}
	if o.Profile, err = profile.Lookup(compiler); err != nil {
		return "", err
	}
	f, err := compile.IR(k, &o, "")
	if err != nil {
		return "", err
	}
	c, err := compile.Compile(k, &o)
	if err != nil {
		return "", err
	}
	launch := unroll.Options{Local: [3]int64{16, 8, 1}, Groups: [3]int64{5, 3, 1}, AssumeTrips: 5,
		MaxInstructions: 10_000, Kinds: unroll.EdgeGroups, Locality: unroll.LaunchLocality,
		Args: map[string]unroll.ArgValue{}}
	for i, p := range k.Params {
		if p.Type != lower.Ptr && i%2 == 0 {
			launch.Args[p.Name] = unroll.ArgValue{Int: 37, Float: 37}
		}
	}
	if launch, err = launch.WithDefaults(); err != nil {
		return "", err
	}
	steps := int64(0)
	launch.Steps = &steps
	made := digest(f.String()) + " " + digest(c.String())
	g, _, err := walk.Execute(k, c, launch)
	if err != nil {
		return made + " " + strings.Join(strings.Fields(err.Error()), " "), nil
	}
	var graph bytes.Buffer
	err = idg.Encode(&graph, g)
	return fmt.Sprintf("%s %s in %d", made, digest(graph.String()), steps), err
}

func digest(text string) string {
	h := fnv.New32a()
	h.Write([]byte(text))
	return fmt.Sprintf("%08x", h.Sum32())
}
