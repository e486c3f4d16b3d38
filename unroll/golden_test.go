package unroll_test

import (
	"bytes"
	"flag"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/idg"
	"gpupipe/internal/golden"
	"gpupipe/lower"
	"gpupipe/unroll"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGolden compares the listings of every testdata/*.txtar. An archive holds
// k.cl or k.cu, whose kernels are resolved, and one file for each line of options
// to resolve them with; the file's name is that line (see parseOptions). The
// archive's comment says what to look for.
func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", *update, func(t *testing.T, a *txtar.Archive) []txtar.File {
		if len(a.Files) < 2 || len(bytes.TrimSpace(a.Comment)) == 0 {
			t.Fatal("want a comment, a source file and at least one line of options")
		}
		files := []txtar.File{a.Files[0]}
		kernels := lowerSource(t, a.Files[0].Name, string(a.Files[0].Data))
		for _, f := range a.Files[1:] {
			var got strings.Builder
			for _, k := range kernels {
				listing(t, &got, k, parseOptions(t, f.Name))
			}
			files = append(files, txtar.File{Name: f.Name, Data: []byte(got.String())})
		}
		return files
	})
}

// listing writes what a kernel resolves to: a line for each executed instruction
// with its op, source line, dependences, lanes where not all are active, and
// access pattern; then loops, branches and diagnostics; or the error.
func listing(t *testing.T, b *strings.Builder, k *lower.Kernel, opt unroll.Options) {
	t.Helper()
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "kernel %s\n", k.Name)
	res, err := unroll.Resolve(k, opt)
	if err != nil {
		fmt.Fprintf(b, "%v\n", err)
		return
	}
	if err := res.Graph.Verify(); err != nil {
		t.Fatal(err)
	}
	again, err := unroll.Resolve(k, opt)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(encoded(t, res.Graph), encoded(t, again.Graph)) {
		t.Errorf("kernel %s resolved again gives another graph", k.Name)
	}
	g := res.Graph
	for _, p := range g.Programs() {
		if len(g.Programs()) > 1 {
			fmt.Fprintf(b, "warps %v\n", p.Warps)
		}
		f := flat(p)
		for v := range idg.NodeID(f.Len()) {
			in := g.Instr(f.Instr(v))
			op := in.Op
			if in.Type != "" {
				op += " " + in.Type
			}
			line := fmt.Sprintf("%4d  %-18s :%-3d %s", v, op, in.Pos.Line, preds(f, v))
			if a := g.Access(in.Access); a != nil {
				line = fmt.Sprintf("%-50s %s", line, a.Buffer+": "+a.Describe())
			} else if lanes := min(int64(g.Launch.WarpSize), g.Launch.WorkItems()); int64(in.Lanes) != lanes {
				line = fmt.Sprintf("%-50s %d lanes", line, in.Lanes)
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	for _, l := range g.Loops {
		fmt.Fprintf(b, "loop :%d %s trips=%d (%s) executed=%d factor=%d", l.Pos.Line, l.Kind, l.Trips, l.Origin,
			l.Executed, l.Factor)
		if l.Full {
			b.WriteString(" full")
		}
		if l.Remainder != 0 {
			fmt.Fprintf(b, " remainder=%d", l.Remainder)
		}
		if l.Reason != "" {
			fmt.Fprintf(b, "; %s", l.Reason)
		}
		b.WriteString("\n")
	}
	for _, br := range g.Branches {
		fmt.Fprintf(b, "branch :%d %s %s (%s) executed=%d\n", br.Pos.Line, br.Kind, br.Decision, br.Origin, br.Executed)
	}
	for _, w := range res.Warnings {
		fmt.Fprintf(b, "%v\n", w)
	}
}

// preds lists dependences: "d1,2 c0 o3" waits for the data of 1 and 2, is gated by
// 0, and is issued after 3.
func preds(p *idg.Flat, v idg.NodeID) string {
	from, kinds := p.Preds(v)
	var parts []string
	for _, k := range []struct {
		kind idg.EdgeKind
		mark string
	}{{idg.Data, "d"}, {idg.Control, "c"}, {idg.Order, "o"}} {
		var ids []string
		for i := range from {
			if kinds[i] == k.kind {
				ids = append(ids, fmt.Sprint(from[i]))
			}
		}
		if len(ids) > 0 {
			parts = append(parts, k.mark+strings.Join(ids, ","))
		}
	}
	return strings.Join(parts, " ")
}

// encoded is the graph's JSON document.
func encoded(t testing.TB, g *idg.Graph) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := idg.Encode(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
