package metamorphic

import (
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/internal/generate"
	"gpupipe/internal/target"
	"gpupipe/internal/test/tools"
	"gpupipe/kernels"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// compared has the kernels whose code is compared with that of compilers; the suite is those that an H100 executed.
const compared = "../../evidence/compiler/testdata"

// program is a kernel and what a compiler is told of it.
type program struct {
	name   string // "builtin/vadd", "suite/mm_naive"
	source *generate.Source
	kernel string // in the source
	// options have the sizes and arguments of its usual launch, where these are not in the source.
	options generate.Options
}

// prepared is a program with a launch.
type prepared struct {
	*generate.Kernel
	program *generate.Program
	fn      *ast.Function
}

// prepare lowers the program for a launch that change makes of its usual one.
func (p *program) prepare(change func(*generate.Options)) (*prepared, error) {
	o := p.options
	if change != nil {
		change(&o)
	}
	u, err := generate.Parse(p.source, &o)
	if err != nil {
		return nil, err
	}
	fn, err := u.Choose(p.kernel)
	if err != nil {
		return nil, err
	}
	k, err := u.Prepare(fn)
	return &prepared{k, u, fn}, err
}

// usual are the options of every kernel: code of nvcc for an H100, of which the first warp is traced.
func usual(t *testing.T) generate.Options {
	t.Helper()
	const gpu = "h100sxm"
	d, err := latencies.Builtin(gpu)
	if err != nil {
		t.Fatal(err)
	}
	return generate.Options{DynamicLocal: -1, Device: d, Target: target.Target{GPU: gpu, Level: target.O2},
		Warps: generate.Warps{Choice: unroll.FirstWarp}, Kinds: unroll.MiddleGroup}
}

// programs are all kernels in their order, or some of them, evenly spread.
func programs(t *testing.T) []*program {
	t.Helper()
	all := slices.Concat(builtins(t), suitePrograms(t), choices(t))
	n := tools.Cases(len(all), 12)
	var some []*program
	for i := range n {
		some = append(some, all[i*len(all)/n])
	}
	return some
}

// builtins are the built-in kernels.
func builtins(t *testing.T) (list []*program) {
	t.Helper()
	for _, k := range kernels.List() {
		s, err := generate.Builtin(k.Name, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		o := usual(t)
		o.FS = kernels.FS()
		list = append(list, &program{name: "builtin/" + k.Name, source: s, options: o})
	}
	return list
}

// choices are the kernels of testdata/choices.
func choices(t *testing.T) (list []*program) {
	t.Helper()
	s := source(t, "testdata/choices", "choices.cu")
	o := usual(t)
	u, err := generate.Parse(s, &o)
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Unit.Broken) > 0 {
		t.Fatal(u.Unit.Broken[0].Err)
	}
	for _, k := range u.Unit.Kernels {
		list = append(list, &program{name: "choices/" + k.Name, source: s, kernel: k.Name, options: usual(t)})
	}
	return list
}

// source reads a file.
func source(t *testing.T, folder, file string) *generate.Source {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, file))
	if err != nil {
		t.Fatal(err)
	}
	s, err := generate.NewSource(file, text, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// suitePrograms are the kernels of the suite. Rows that differ in their launch alone are one program.
func suitePrograms(t *testing.T) (list []*program) {
	t.Helper()
	f, err := os.Open(filepath.Join(compared, "kernels.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table := csv.NewReader(f)
	table.Comma, table.Comment = '\t', '#'
	rows, err := table.ReadAll()
	head := []string{"set", "name", "file", "kernel", "template", "macros", "local", "groups", "args", "dynamic",
		"trips"}
	if err != nil || !slices.Equal(rows[0], head) {
		t.Fatalf("kernels.tsv: %v", err)
	}
	seen := map[string]bool{}
	for _, row := range rows[1:] {
		if code := row[3] + " " + row[4]; row[0] == "h100" && !seen[code] {
			list = append(list, suiteProgram(t, row))
			seen[code] = true
		}
	}
	return list
}

// fewer are arguments of the suite's launches whose kernels execute too much for a short test.
var fewer = map[string]int64{"forces tiles": 8, "mm_vector_tile depth": 64, "mm_square_tile n": 256,
	"mm_column_tile n": 256, "mm_tiled n": 256, "mm_double n": 256, "product n": 256, "spilled_sums rounds": 16,
	"register_sums rounds": 16, "banks rounds": 64, "divergent_switch rounds": 16}

// suiteProgram reads a row of the table, in which "-" stands for nothing. Trip counts are assumed.
func suiteProgram(t *testing.T, row []string) *program {
	t.Helper()
	folder, file := filepath.Split(filepath.Join(compared, row[2]))
	p := &program{name: "suite/" + row[1], source: source(t, folder, file), kernel: row[3], options: usual(t)}
	o := &p.options
	o.FS = os.DirFS(folder)
	if row[4] != "-" {
		o.Templates = []string{row[4]}
	}
	var errs [3]error
	o.Local, errs[0] = generate.ParseSizes(row[6])
	o.Groups, errs[1] = generate.ParseSizes(row[7])
	if row[9] != "-" {
		o.DynamicLocal, errs[2] = strconv.ParseInt(row[9], 10, 64)
	}
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatalf("%s: %v", row[1], err)
	}
	for _, text := range strings.Fields(strings.TrimPrefix(row[8], "-")) {
		a, err := generate.ParseArgument(text)
		if err != nil {
			t.Fatalf("%s: %v", row[1], err)
		}
		if n := fewer[p.kernel+" "+a.Name]; n > 0 {
			a.Value.Int = n
		}
		o.Args = append(o.Args, a)
	}
	return p
}
