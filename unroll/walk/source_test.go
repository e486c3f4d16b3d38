package walk

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/golden"
	"gpupipe/lower"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
	"gpupipe/lower/pass"
	"gpupipe/unroll"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestSource compares what is executed at -O0 of the kernels of testdata/source: a file for each line of options, with
// a line for each instruction: its op, source line, dependences ("d1,2 c0 o3" waits for the data of 1 and 2, is gated
// by 0, and is issued after 3), lanes where not all are active, and access pattern.
func TestSource(t *testing.T) {
	golden.Each(t, "testdata/source/*.txtar", *update, func(t *testing.T, a *txtar.Archive) []txtar.File {
		dialect := ast.OpenCL
		if strings.HasSuffix(a.Files[0].Name, ".cu") {
			dialect = ast.CUDA
		}
		u, err := frontend.Parse(frontend.Config{File: a.Files[0].Name, Text: string(a.Files[0].Data), Dialect: dialect})
		if err != nil {
			t.Fatal(err)
		}
		files := []txtar.File{a.Files[0]}
		for _, f := range a.Files[1:] {
			var got strings.Builder
			for i, fn := range u.Kernels {
				k, err := lower.Lower(u, fn)
				if err != nil {
					t.Fatal(err)
				}
				if i > 0 {
					got.WriteString("\n")
				}
				fmt.Fprintf(&got, "kernel %s\n", k.Name)
				listing(t, &got, k, f.Name)
			}
			files = append(files, txtar.File{Name: f.Name, Data: []byte(got.String())})
		}
		return files
	})
}

// listing writes what a kernel executes, or the error.
func listing(t *testing.T, b *strings.Builder, k *lower.Kernel, options string) {
	t.Helper()
	o, unrolls := sourceOptions(t, options)
	target, err := machine.LookupTarget("source")
	if err != nil {
		t.Fatal(err)
	}
	p, err := pass.LookupProfile("none")
	if err != nil {
		t.Fatal(err)
	}
	c := &compile.Options{Target: target, Profile: p, Unroll: map[int]int{}}
	for _, l := range k.Loops {
		for _, u := range unrolls {
			if u.At.Matches(l.Pos) {
				c.Unroll[int(l.ID)] = int(u.Factor)
			}
		}
	}
	code, err := compile.Compile(k, c)
	if err != nil {
		t.Fatal(err)
	}
	if o, err = o.WithDefaults(); err != nil {
		t.Fatal(err)
	}
	g, _, err := Execute(k, code, o)
	if err != nil {
		fmt.Fprintf(b, "%v\n", err)
		return
	}
	if err := g.Verify(); err != nil {
		t.Fatal(err)
	}
	for _, p := range g.Programs() {
		if len(g.Programs()) > 1 {
			fmt.Fprintf(b, "warps %v\n", p.Warps)
		}
		f, err := p.Expanded(idg.MaxExpanded)
		if err != nil {
			t.Fatal(err)
		}
		for v := range idg.NodeID(f.Len()) {
			in := g.Instr(f.Instr(v))
			line := fmt.Sprintf("%4d  %-18s :%-3d %s", v, strings.TrimSpace(in.Op+" "+in.Type), in.Pos.Line, preds(f, v))
			if a := g.Access(in.Access); a != nil {
				line = fmt.Sprintf("%-50s %s", line, a.Buffer+": "+a.Describe())
			} else if lanes := min(int64(g.Launch.WarpSize), g.Launch.WorkItems()); int64(in.Lanes) != lanes {
				line = fmt.Sprintf("%-50s %d lanes", line, in.Lanes)
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
}

// preds lists dependences.
func preds(p *idg.Flat, v idg.NodeID) string {
	from, kinds := p.Preds(v)
	marks := map[idg.EdgeKind]string{idg.Data: "d", idg.Control: "c", idg.Order: "o"}
	var parts []string
	for _, kind := range [...]idg.EdgeKind{idg.Data, idg.Control, idg.Order} {
		var ids []string
		for i := range from {
			if kinds[i] == kind {
				ids = append(ids, fmt.Sprint(from[i]))
			}
		}
		if len(ids) > 0 {
			parts = append(parts, marks[kind]+strings.Join(ids, ","))
		}
	}
	return strings.Join(parts, " ")
}

// sourceOptions reads options written as on the command line.
func sourceOptions(t *testing.T, line string) (o unroll.Options, unrolls []unroll.UnrollChoice) {
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
	o = unroll.Options{Local: [3]int64{32}, Args: map[string]unroll.ArgValue{}}
	o.Level = unroll.O0
	words := strings.Fields(line)
	for i := 0; i < len(words); i++ {
		if words[i] == "-O0" || words[i] == "--strict" {
			o.Strict = o.Strict || words[i] == "--strict"
			continue
		}
		flag, value := words[i], words[i+1]
		i++
		switch flag {
		case "--compiler":
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
		case "--barrier":
			o.Barrier = map[string]unroll.BarrierWait{"issue": unroll.WaitIssue, "complete": unroll.WaitComplete}[value]
		case "--assume-trip":
			o.AssumeTrips = number(value)
		case "--arg":
			name, v, _ := strings.Cut(value, "=")
			o.Args[name] = unroll.ArgValue{Int: number(v)}
		case "--trip":
			loc, v := at(value)
			o.Trips = append(o.Trips, unroll.TripChoice{At: loc, Trips: number(v)})
		case "--unroll":
			loc, v := at(value)
			unrolls = append(unrolls, unroll.UnrollChoice{At: loc, Factor: number(v)})
		case "--branch":
			loc, v := at(value)
			side, err := unroll.ParseBranchSide(v)
			check(err)
			o.Branches = append(o.Branches, unroll.BranchChoice{At: loc, Side: side})
		default:
			t.Fatalf("options %q: unknown %s", line, flag)
		}
	}
	return o, unrolls
}
