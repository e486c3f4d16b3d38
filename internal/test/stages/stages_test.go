package stages

import (
	"bytes"
	"context"
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
	"gpupipe/internal/report"
	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/randomc"
	"gpupipe/latencies"
	"gpupipe/lower"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
	"gpupipe/lower/profile"
	"gpupipe/lower/translate"
	"gpupipe/simulate"
	"gpupipe/unroll"
	"gpupipe/unroll/walk"
)

var update = flag.Bool("update", false, "rewrite testdata/stages.txt")

// targets are whom kernels are compiled by and for, and a device.
var targets = [][3]string{{"sm_90", "nvcc-13", "h100"}, {"gfx90a", "clang-amdgcn-14", "mi210"},
	{"sm_52", "nvcc-11.8", "gtx980"}, {"gfx1030", "clang-amdgcn-14", "rx6900xt"}, {"sm_80", "clang-nvptx-14", "a100"}}

// TestStages: the stages make of each kernel what testdata/stages.txt has as digests: the typed tree, and for one of
// the targets IR, machine code, graph, with the steps that executing it takes, and report; of programs in C++ the tree
// alone. It shows what a change moves, meant or not.
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
					by := targets[(first+k)%len(targets)]
					text, err := stages(u, fn, by, first+k)
					if err != nil {
						text = strings.Join(strings.Fields(err.Error()), " ")
					}
					lines[i] += fmt.Sprintf("; %s %s %s", fn.Name, by[0], text)
				}
			})
		}
	})
	for _, pattern := range []string{"testdata/cxx/features/*.txtar", "frontend/resolve/testdata/*.txtar"} {
		for _, name := range files(t, pattern) {
			lines = append(lines, filepath.Base(name)+": trees "+digest(trees(t, name)))
		}
	}
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

// files are those of a pattern below the module's folder.
func files(t *testing.T, pattern string) []string {
	names, err := filepath.Glob("../../../" + pattern)
	if err != nil || len(names) == 0 {
		t.Fatal("no files", pattern, err)
	}
	return names
}

// trees are those of the programs in an archive, or the errors.
func trees(t *testing.T, name string) string {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range a.Files {
		u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: string(f.Data), Dialect: ast.CUDA})
		fmt.Fprintln(&b, u, err)
		if u != nil {
			fmt.Fprintln(&b, u.Broken)
		}
	}
	return b.String()
}

// source is a file of kernels.
type source struct {
	name string
	frontend.Config
}

// sources are those of package irtest and files of kernels that other tests have, archives' first among them.
func sources(t *testing.T) (list []source) {
	for name, c := range irtest.Sources(t) {
		list = append(list, source{name, c})
	}
	for _, pattern := range []string{"lower/pass/testdata/*/*.txtar", "unroll/walk/testdata/source/*.txtar",
		"testdata/advice/*.c*", "testdata/verdicts/*.c*", "testdata/cxx/*.txtar",
		"internal/evidence/compiler/testdata/corpus/*.cu", "internal/test/stages/testdata/*.c*"} {
		for _, name := range files(t, pattern) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f := txtar.File{Name: name, Data: text}
			if filepath.Ext(name) == ".txtar" {
				f = txtar.Parse(text).Files[0]
			}
			if filepath.Ext(f.Name) != "" {
				name := filepath.Base(filepath.Dir(name)) + "/" + strings.TrimSuffix(filepath.Base(name), ".txtar")
				list = append(list, source{name, irtest.Config(f.Name, string(f.Data))})
			}
		}
	}
	for seed := range uint64(20) {
		list = append(list, source{fmt.Sprintf("random/%d", seed), irtest.Config("k.cl", randomc.New(seed).Text)})
	}
	return list
}

// stages are digests of what is made of a kernel, the i-th.
func stages(u *ast.Unit, fn *ast.Function, by [3]string, i int) (string, error) {
	k, err := translate.Kernel(u, fn)
	if err != nil {
		return "", err
	}
	o := compile.Options{Level: 2}
	if o.Target, err = machine.LookupTarget(by[0]); err != nil {
		return "", err
	}
	if o.Profile, err = profile.Lookup(by[1]); err != nil {
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
	launch := unroll.Options{Local: [][3]int64{{16, 8, 1}, {40, 3, 1}, {8, 4, 4}}[i%3], Groups: [3]int64{5, 3, 1},
		AssumeTrips: int64(5 + i%4), MaxInstructions: 4_000, Locality: unroll.LaunchLocality,
		Kinds: []unroll.KindChoice{unroll.EdgeGroups, unroll.SampledIfUneven}[i%2],
		Args:  map[string]unroll.ArgValue{}}
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
	if err := idg.Encode(&graph, g); err != nil {
		return "", err
	}
	document, err := predict(g, by[2], i, steps < 2_500)
	return fmt.Sprintf("%s %s in %d %s", made, digest(graph.String()), steps, digest(document)), err
}

// predict is the report on a graph, the i-th, with findings, which take the longest, or without.
func predict(g *idg.Graph, device string, i int, findings bool) (string, error) {
	d, err := latencies.Builtin(device)
	if err != nil {
		return "", err
	}
	m, err := latencies.NewMapper(d, nil)
	if err != nil {
		return "", err
	}
	cfg := simulate.Config{Issue: []simulate.IssueMode{0, simulate.Dataflow, simulate.InOrder, simulate.Blocks}[i%4],
		Profile: true}
	r, err := report.Predict(context.Background(), g, report.Options{Mapper: m, Config: cfg, Warm: i%3 == 1,
		Findings: findings})
	if err != nil {
		return strings.Join(strings.Fields(err.Error()), " "), nil
	}
	var b strings.Builder
	err = report.Write(&b, []report.Format{report.Text, report.JSON}[i/5%2], []*report.Prediction{r},
		&report.View{Explain: true, Draw: true})
	return b.String(), err
}

func digest(text string) string {
	h := fnv.New32a()
	h.Write([]byte(text))
	return fmt.Sprintf("%08x", h.Sum32())
}
