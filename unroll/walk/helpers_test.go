package walk_test

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/lower"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
	"gpupipe/lower/translate"
	"gpupipe/unroll"
)

// unit parses a file of kernels: CUDA where its name ends with .cu.
func unit(t testing.TB, file, text string) *ast.Unit {
	t.Helper()
	u, err := frontend.Parse(frontend.Config{File: file, Text: text, Dialect: dialectOf(file)})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return u
}

// execute compiles a kernel as options say and executes it.
func execute(u *ast.Unit, fn *ast.Function, o unroll.Options) (*idg.Graph, diag.List, error) {
	k, err := translate.Kernel(u, fn)
	if err != nil {
		return nil, nil, err
	}
	if err := o.Check(k); err != nil {
		return nil, nil, err
	}
	return generate.Execute(k, fn, dialectOf(fn.Pos.File), o)
}

// compiled is a kernel's code for options, and these with their defaults.
func compiled(t testing.TB, u *ast.Unit, fn *ast.Function, options string) (*lower.Kernel, *machine.Code,
	unroll.Options) {
	t.Helper()
	k, err := translate.Kernel(u, fn)
	if err != nil {
		t.Fatal(err)
	}
	o, err := parsed(t, options).WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	with, err := generate.CompilerOptions(&o.Target, k, fn, dialectOf(fn.Pos.File))
	if err != nil {
		t.Fatal(err)
	}
	c, err := compile.Compile(k, with)
	if err != nil {
		t.Fatal(err)
	}
	return k, c, o
}

func dialectOf(file string) ast.Dialect {
	if strings.HasSuffix(file, ".cu") {
		return ast.CUDA
	}
	return ast.OpenCL
}

// graphOf is the graph of a file's first kernel, and what is noted. Options are those of the command line.
func graphOf(t testing.TB, file, text, options string) (*idg.Graph, diag.List) {
	t.Helper()
	u := unit(t, file, text)
	g, notes, err := execute(u, u.Kernels[0], parsed(t, options))
	if err == nil {
		err = g.Verify()
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return g, notes
}

// refusal is the error that a kernel gives.
func refusal(t testing.TB, text string, o unroll.Options) error {
	t.Helper()
	u := unit(t, "k.cl", text)
	_, _, err := execute(u, u.Kernels[0], o)
	return err
}

// codes lists the codes and lines of an error.
func codes(err error) (out []string) {
	var list diag.List
	var one *diag.Error
	if !errors.As(err, &list) && errors.As(err, &one) {
		list = diag.List{one}
	}
	for _, e := range list {
		out = append(out, fmt.Sprintf("%s:%d", e.Code, e.Pos.Line))
	}
	return out
}

// count is how many notes have a code.
func count(notes diag.List, code string) (n int) {
	for _, e := range notes {
		if e.Code == code {
			n++
		}
	}
	return n
}

// ops is how often warp 0 executes each operation, whatever its width: "ld.global".
func ops(g *idg.Graph) map[string]int64 {
	n := map[string]int64{}
	for i, times := range g.Programs()[0].Tally(len(g.Instrs())) {
		n[g.Instr(idg.InstrID(i+1)).Op] += times
	}
	return n
}

// elements is how many elements of so many bytes a lane of warp 0 accesses in a buffer.
func elements(g *idg.Graph, buffer string, size int64, store bool) (n int64) {
	for i, times := range g.Programs()[0].Tally(len(g.Instrs())) {
		if a := g.Access(g.Instr(idg.InstrID(i + 1)).Access); a != nil && a.Buffer == buffer && a.Store == store {
			n += times * int64(a.Width) / size
		}
	}
	return n
}

// accesses lists those of a space by warp 0, in program order.
func accesses(t testing.TB, g *idg.Graph, space idg.Space) (list []*idg.Access) {
	t.Helper()
	f, err := g.Programs()[0].Expanded(idg.MaxExpanded)
	if err != nil {
		t.Fatal(err)
	}
	for v := range idg.NodeID(f.Len()) {
		if a := g.Access(g.Instr(f.Instr(v)).Access); a != nil && a.Space == space {
			list = append(list, a)
		}
	}
	return list
}

// encoded is the document of a graph.
func encoded(t testing.TB, g *idg.Graph) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (idg.EncodeOptions{Fold: true}).Encode(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// parsed reads options written as on the command line. Groups have 32 work items, unless they say something else.
func parsed(t testing.TB, line string) unroll.Options {
	t.Helper()
	check := func(err error) {
		if err != nil {
			t.Fatalf("options %q: %v", line, err)
		}
	}
	number := func(s string) int64 {
		n, err := strconv.ParseInt(s, 0, 64)
		check(err)
		return n
	}
	at := func(s string) (unroll.Location, string) {
		place, value, _ := strings.Cut(s, "=")
		loc, err := unroll.ParseLocation(place)
		check(err)
		return loc, value
	}
	o := unroll.Options{Local: [3]int64{32}, Args: map[string]unroll.ArgValue{}}
	words := strings.Fields(line)
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "-O0":
			o.Level = unroll.O0
			continue
		case "-O2":
			o.Level = unroll.O2
			continue
		case "--strict":
			o.Strict = true
			continue
		}
		flag, value := words[i], words[i+1]
		i++
		switch flag {
		case "--compiler":
			o.Compiler = map[string]unroll.Compiler{"nvcc": unroll.NVCC, "clang": unroll.Clang, "none": unroll.NoCompiler}[value]
		case "--capability":
			o.Capability = value
		case "--local":
			for d, x := range strings.Split(value, "x") {
				o.Local[d] = number(x)
			}
		case "--groups":
			for d, x := range strings.Split(value, "x") {
				o.Groups[d] = number(x)
			}
		case "--warp-size":
			o.WarpSize = int(number(value))
		case "--warps":
			o.Warps = map[string]unroll.WarpChoice{"all": unroll.EveryWarp, "first": unroll.FirstWarp}[value]
		case "--group-kinds":
			o.Kinds = map[string]unroll.KindChoice{"auto": unroll.SampledIfUneven, "edges": unroll.EdgeGroups,
				"sampled": unroll.SampledGroups}[value]
		case "--barrier":
			o.Barrier = map[string]unroll.BarrierWait{"issue": unroll.WaitIssue, "complete": unroll.WaitComplete}[value]
		case "--locality":
			choice, err := unroll.ParseLocality(value)
			check(err)
			o.Locality = choice
		case "--assume-trip":
			o.AssumeTrips = number(value)
		case "--max-instructions":
			o.MaxInstructions = int(number(value))
		case "--arg":
			name, v, _ := strings.Cut(value, "=")
			o.Args[name] = unroll.ArgValue{Int: number(v)}
		case "--trip":
			loc, v := at(value)
			o.Trips = append(o.Trips, unroll.TripChoice{At: loc, Trips: number(v)})
		case "--unroll":
			loc, v := at(value)
			o.Unrolls = append(o.Unrolls, unroll.UnrollChoice{At: loc, Factor: number(v)})
		case "--branch":
			loc, v := at(value)
			side, err := unroll.ParseBranchSide(v)
			check(err)
			o.Branches = append(o.Branches, unroll.BranchChoice{At: loc, Side: side})
		default:
			t.Fatalf("options %q: unknown %s", line, flag)
		}
	}
	return o
}
