package metamorphic

import (
	"encoding/csv"
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

// suite has the sources of testdata/launches.csv, which an H100 executed.
const suite = "../../evidence/compiler/testdata/h100"

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
	f, err := os.Open("testdata/launches.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	head := []string{"kernel", "file", "idgen_flags", "idgen_hints"}
	if err != nil || len(rows) < 2 || !slices.Equal(rows[0][:len(head)], head) {
		t.Fatalf("launches.csv: %v", err)
	}
	seen := map[string]bool{}
	for _, row := range rows[1:] {
		p := suiteProgram(t, row)
		code := p.kernel + " " + strings.Join(p.options.Templates, " ")
		if !seen[code] {
			list = append(list, p)
		}
		seen[code] = true
	}
	return list
}

// fewer are arguments of the suite's launches whose kernels execute too much for a short test.
var fewer = map[string]int64{"forces tiles": 8, "mm_vector_tile depth": 64, "mm_square_tile n": 256,
	"mm_column_tile n": 256}

// suiteProgram reads a row of launches.csv.
func suiteProgram(t *testing.T, row []string) *program {
	t.Helper()
	p := &program{name: "suite/" + row[0], source: source(t, suite, row[1]), options: usual(t)}
	o := &p.options
	o.FS = os.DirFS(suite)
	flags := strings.Fields(row[2] + " " + row[3])
	for i := 0; i+1 < len(flags); i += 2 {
		var err error
		value := flags[i+1]
		switch flags[i] {
		case "-k":
			p.kernel = value
		case "--template":
			o.Templates = append(o.Templates, value)
		case "--local":
			o.Local, err = generate.ParseSizes(value)
		case "--groups":
			o.Groups, err = generate.ParseSizes(value)
		case "--dynamic-local":
			o.DynamicLocal, err = strconv.ParseInt(value, 10, 64)
		case "--arg":
			var a generate.Argument
			a, err = generate.ParseArgument(value)
			if n := fewer[p.kernel+" "+a.Name]; n > 0 {
				a.Value.Int = n
			}
			o.Args = append(o.Args, a)
		case "--gpu", "--trip": // that of every kernel; trip counts are assumed
		default:
			t.Fatalf("%s: flag %s", row[0], flags[i])
		}
		if err != nil {
			t.Fatalf("%s: %s %s: %v", row[0], flags[i], value, err)
		}
	}
	return p
}
