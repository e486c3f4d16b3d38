package kernels_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/test/golden"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
	"gpupipe/lower/profile"
	"gpupipe/lower/translate"
	"gpupipe/unroll"
	"gpupipe/unroll/walk"
)

var update = flag.Bool("update", false, "rewrite docs/evidence/tables/unroll.md")

const matmulDir = "../../../testdata/unroll_matmul/"

// tileCounts are instructions per tile iteration.
type tileCounts struct {
	fma, ldLocal, ldGlobal, barriers, compares, integer float64
}

// machineRow is one configuration of the table of compiled code.
type machineRow struct {
	bs     int64
	pragma string
	want   tileCounts
}

// TestMachineCode holds code for sm_70 against nvcc's (testdata/unroll_matmul): a tile iteration has the same
// multiply-adds, loads, barriers and comparisons for nearly every BLOCK_SIZE and pragma, and integer instructions within
// a tenth or two. A factor that does not divide the number of iterations leaves its loop half-way, of which the table
// has the whole pass. It writes docs/evidence/tables/unroll.md.
func TestMachineCode(t *testing.T) {
	rows := readCompiled(t)
	if len(rows) != 40 {
		t.Errorf("%d configurations in the table, want 40", len(rows))
	}
	var table bytes.Buffer
	loads, near := 0, 0
	for _, r := range rows {
		got := executeTile(t, r)
		if g, w := got, r.want; g.ldLocal == w.ldLocal {
			loads++
		} else if r.bs%2 == 0 && !strings.HasSuffix(r.pragma, "3") && !strings.HasSuffix(r.pragma, "5") {
			t.Errorf("BS=%d/%s: %g local loads per tile iteration, machine code has %g", r.bs, r.pragma, g.ldLocal, w.ldLocal)
		}
		if g, w := got, r.want; g.fma != w.fma || g.ldGlobal != w.ldGlobal || g.barriers != w.barriers {
			t.Errorf("BS=%d/%s: per tile iteration %+v, machine code has %+v", r.bs, r.pragma, g, w)
		}
		if d := math.Abs(got.integer - r.want.integer); d <= 2 || d <= 0.1*r.want.integer {
			near++
		}
		pair := func(a, b float64) string {
			if a == b {
				return fmt.Sprintf("%g", a)
			}
			return fmt.Sprintf("%g / %g", a, b)
		}
		fmt.Fprintf(&table, "| %d | %s | %s | %s | %s | %s | %s | %s | %+.0f%% |\n", r.bs, r.pragma,
			pair(got.fma, r.want.fma), pair(got.ldLocal, r.want.ldLocal), pair(got.ldGlobal, r.want.ldGlobal),
			pair(got.barriers, r.want.barriers), pair(got.compares, r.want.compares),
			pair(got.integer, r.want.integer), 100*(got.integer-r.want.integer)/r.want.integer)
	}
	t.Logf("of %d configurations %d have as many loads of local memory, %d nearly as many integer instructions", len(rows),
		loads, near)
	if near < 26 {
		t.Errorf("%d configurations have nearly as many integer instructions, want 26", near)
	}
	golden.Section(t, "../../../docs/evidence/tables/unroll.md", "unroll_matmul", table.String(), *update)
}

// readCompiled reads the rows of nvcc's machine code. Static counts become counts
// per tile iteration: the loop over k (L2) is executed as often as its multiply-adds need,
// the rest of the tile loop (L1) once; nvcc's tile loop for BLOCK_SIZE 8 holds
// two tile iterations when the loop over k is gone.
func readCompiled(t *testing.T) []machineRow {
	t.Helper()
	data, err := os.ReadFile(matmulDir + "unroll_matmul.tsv")
	if err != nil {
		t.Fatal(err)
	}
	cr := csv.NewReader(bytes.NewReader(data))
	cr.Comma = '\t'
	lines, err := cr.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	col := map[string]int{}
	for i, name := range lines[0] {
		col[name] = i
	}
	counts := func(line []string) tileCounts {
		n := func(name string) float64 {
			v, err := strconv.ParseFloat(line[col[name]], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		return tileCounts{
			fma: n("fma"), ldLocal: n("ld.shared") + n("ld.shared.v2") + n("ld.shared.v4"), ldGlobal: n("ld.global"),
			barriers: n("bar"), compares: n("setp"),
			integer: n("iadd") + n("imad") + n("imul") + n("logic/shift"),
		}
	}
	type key struct{ compiler, bs, pragma string }
	regions := map[key]map[string]tileCounts{}
	var order []key
	for _, line := range lines[1:] {
		k := key{line[col["compiler"]], line[col["BS"]], line[col["pragma"]]}
		if k.compiler != "cu-sass" {
			continue
		}
		if regions[k] == nil {
			regions[k] = map[string]tileCounts{}
			order = append(order, k)
		}
		regions[k][line[col["loop"]]] = counts(line)
	}
	var rows []machineRow
	for _, k := range order {
		bs, err := strconv.ParseInt(k.bs, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		row := machineRow{bs: bs, pragma: k.pragma}
		l1, l2 := regions[k]["L1"], regions[k]["L2"]
		if l2.fma == 0 {
			row.want = l1.combine(float64(bs)/l1.fma, tileCounts{}, 0)
		} else {
			outside := l1.fma - l2.fma // multiply-adds of a peeled remainder
			trips := math.Ceil((float64(bs) - outside) / l2.fma)
			row.want = l1.combine(1, l2, trips-1)
			// The last pass of nvcc's loop leaves half-way: only whole multiply-adds count.
			row.want.fma = float64(bs)
		}
		rows = append(rows, row)
	}
	return rows
}

// combine returns x*a + y*b.
func (a tileCounts) combine(x float64, b tileCounts, y float64) tileCounts {
	return tileCounts{
		fma: x*a.fma + y*b.fma, ldLocal: x*a.ldLocal + y*b.ldLocal, ldGlobal: x*a.ldGlobal + y*b.ldGlobal,
		barriers: x*a.barriers + y*b.barriers, compares: x*a.compares + y*b.compares,
		integer: x*a.integer + y*b.integer,
	}
}

// executeTile counts what one tile iteration executes: the difference between two launches with different numbers of
// tiles.
func executeTile(t *testing.T, r machineRow) tileCounts {
	t.Helper()
	text, err := os.ReadFile(matmulDir + "matmul.cu")
	if err != nil {
		t.Fatal(err)
	}
	pragma := "#pragma " + r.pragma
	if r.pragma == "none" {
		pragma = ""
	}
	source := strings.Replace(string(text), "/*UNROLL*/", pragma, 1)
	u, err := frontend.Parse(frontend.Config{File: "matmul.cu", Text: source, Dialect: ast.CUDA,
		Defines: []string{fmt.Sprintf("BLOCK_SIZE=%d", r.bs)}})
	if err != nil {
		t.Fatal(err)
	}
	k, err := translate.Kernel(u, u.Kernels[0])
	if err != nil {
		t.Fatal(err)
	}
	o := compile.Options{Level: 2}
	if o.Target, err = machine.LookupTarget("sm_70"); err != nil {
		t.Fatal(err)
	}
	if o.Profile, err = profile.Lookup("nvcc-11.8"); err != nil {
		t.Fatal(err)
	}
	code, err := compile.Compile(k, &o)
	if err != nil {
		t.Fatal(err)
	}
	const few, many = 4, 12
	count := func(tiles int64) tileCounts {
		launch, err := unroll.Options{
			Local: [3]int64{r.bs, r.bs}, Groups: [3]int64{8, 8}, Warps: unroll.FirstWarp,
			Args: map[string]unroll.ArgValue{"wA": {Int: tiles * r.bs}, "wB": {Int: 8 * r.bs}},
		}.WithDefaults()
		if err != nil {
			t.Fatal(err)
		}
		n, err := walk.Count(code, launch)
		if err != nil {
			t.Fatal(err)
		}
		return countOps(n, 64*launch.Local[0]*launch.Local[1]/32)
	}
	a, b := count(few), count(many)
	return b.combine(1.0/(many-few), a, -1.0/(many-few))
}

// countOps counts the instructions of one of so many warps by the table's classes.
func countOps(n *walk.Counts, warps int64) tileCounts {
	var c tileCounts
	for i, in := range n.Instrs {
		times := float64(n.Times[i]) / float64(warps)
		op, typ, _ := strings.Cut(in.Class, ".")
		switch {
		case strings.Contains(in.Op, "MOV"):
		case op == "setp":
			c.compares += times
		case op == "barrier":
			c.barriers += times
		case in.Class == "ld.local":
			c.ldLocal += times
		case in.Class == "ld.global":
			c.ldGlobal += times
		case in.Class == "fma.f32":
			c.fma += times
		case slices.Contains([]string{"add", "sub", "mul", "mad", "shl", "shr", "and", "or", "xor", "not", "lea"}, op) &&
			!strings.HasPrefix(typ, "f"):
			c.integer += times
		}
	}
	return c
}
