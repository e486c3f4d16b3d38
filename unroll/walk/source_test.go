package walk_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/test/golden"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestSource compares what is executed at -O0 of the kernels of testdata/source: a file for each line of options, with
// a line for each instruction: its op, source line, dependences ("d1,2 c0 o3" waits for the data of 1 and 2, is gated
// by 0, and is issued after 3), lanes where not all are active, and access pattern.
func TestSource(t *testing.T) {
	golden.Each(t, "testdata/source/*.txtar", *update, func(t *testing.T, a *txtar.Archive) []txtar.File {
		u := unit(t, a.Files[0].Name, string(a.Files[0].Data))
		files := []txtar.File{a.Files[0]}
		for _, f := range a.Files[1:] {
			var got strings.Builder
			for i, fn := range u.Kernels {
				if i > 0 {
					got.WriteString("\n")
				}
				fmt.Fprintf(&got, "kernel %s\n", fn.Name)
				listing(t, &got, u, fn, f.Name)
			}
			files = append(files, txtar.File{Name: f.Name, Data: []byte(got.String())})
		}
		return files
	})
}

// listing writes what a kernel executes, or the error.
func listing(t *testing.T, b *strings.Builder, u *ast.Unit, fn *ast.Function, options string) {
	t.Helper()
	g, _, err := execute(u, fn, parsed(t, options))
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
