package kernels_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/golden"
	"gpupipe/lower"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
	"gpupipe/lower/pass"
	"gpupipe/unroll"
	"gpupipe/unroll/walk"
)

var update = flag.Bool("update", false, "rewrite docs/evidence/tables/unroll.md")

const matmulDir = "../../../testdata/unroll_matmul/"

// tileCounts are instructions per tile iteration.
type tileCounts struct {
	fma, ldLocal, ldGlobal, barriers, compares, integer float64
}

// ptxRow is one configuration of the table of compiled code.
type ptxRow struct {
	compiler unroll.Compiler
	bs       int64
	pragma   string
	want     tileCounts
}

// TestCompiledCode holds the resolver at -O3 against PTX of real compilers
// (testdata/unroll_matmul): for every pragma the multiply-adds, local loads, global
// loads, barriers and compares of a tile iteration are equal, and the integer
// instructions are within 30 percent. It writes docs/evidence/tables/unroll.md.
func TestCompiledCode(t *testing.T) {
	rows := readCompiled(t, false)
	if len(rows) != 80 {
		t.Errorf("%d configurations in the table, want 80", len(rows))
	}
	var table bytes.Buffer
	worst := 0.0
	for _, r := range rows {
		got := resolveTile(t, r, false)
		name := fmt.Sprintf("%v/BS=%d/%s", r.compiler, r.bs, strings.ReplaceAll(r.pragma, " ", "="))
		g, w := got, r.want
		off := 100 * (g.integer - w.integer) / w.integer
		worst = max(worst, math.Abs(off))
		g.integer, w.integer = 0, 0
		if g != w {
			t.Errorf("%s: per tile iteration %+v, compiled code has %+v", name, g, w)
		}
		if math.Abs(off) > 30 {
			t.Errorf("%s: %g integer instructions per tile iteration, compiled code has %g", name, got.integer,
				r.want.integer)
		}
		pair := func(a, b float64) string {
			if a == b {
				return fmt.Sprintf("%g", a)
			}
			return fmt.Sprintf("%g / %g", a, b)
		}
		fmt.Fprintf(&table, "| %v | %d | %s | %s | %s | %s | %s | %s | %s | %+.0f%% |\n", r.compiler, r.bs, r.pragma,
			pair(got.fma, r.want.fma), pair(got.ldLocal, r.want.ldLocal), pair(got.ldGlobal, r.want.ldGlobal),
			pair(got.barriers, r.want.barriers), pair(got.compares, r.want.compares),
			pair(got.integer, r.want.integer), off)
	}
	t.Logf("%d configurations, largest difference in integer instructions %.0f%%", len(rows), worst)
	golden.Section(t, "../../../docs/evidence/tables/unroll.md", "unroll_matmul", table.String(), *update)
}

// TestMachineCode: with the loads merged and the integer instructions combined as nvcc's
// machine-code stage does, a tile iteration has as many loads of local memory as the
// machine code for sm_70 in testdata/unroll_matmul, for every BLOCK_SIZE and pragma, and
// as many integer instructions, to one, but for an unroll factor of 2, where PTX
// has more of them too.
func TestMachineCode(t *testing.T) {
	rows := readCompiled(t, true)
	if len(rows) != 40 {
		t.Errorf("%d configurations in the table, want 40", len(rows))
	}
	merged, equal := 0, 0
	for _, r := range rows {
		got, plain := resolveTile(t, r, true), resolveTile(t, r, false)
		if got.ldLocal != r.want.ldLocal {
			t.Errorf("BS=%d/%s: %g local loads per tile iteration, machine code has %g", r.bs, r.pragma, got.ldLocal,
				r.want.ldLocal)
		}
		if got.ldLocal < plain.ldLocal {
			merged++
		}
		off := math.Abs(got.integer - r.want.integer)
		if off == 0 {
			equal++
		} else if off > 1 && r.pragma != "unroll 2" {
			t.Errorf("BS=%d/%s: %g integer instructions per tile iteration, machine code has %g", r.bs, r.pragma,
				got.integer, r.want.integer)
		}
		plain.ldLocal, plain.integer = got.ldLocal, got.integer
		if got != plain {
			t.Errorf("BS=%d/%s: merging changes other counts: %+v, %+v without", r.bs, r.pragma, got, plain)
		}
	}
	if merged < 20 || equal < 20 {
		t.Errorf("loads are merged in %d configurations only, integer instructions are equal in %d", merged, equal)
	}
}

// readCompiled reads the rows of clang's and nvcc's PTX, or those of nvcc's machine code. Static counts become counts
// per tile iteration: the loop over k (L2) is executed as often as its multiply-adds need,
// the rest of the tile loop (L1) once; nvcc's tile loop for BLOCK_SIZE 8 holds
// two tile iterations when the loop over k is gone.
func readCompiled(t *testing.T, machineCode bool) []ptxRow {
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
		if (k.compiler == "cu-sass") != machineCode {
			continue
		}
		if regions[k] == nil {
			regions[k] = map[string]tileCounts{}
			order = append(order, k)
		}
		regions[k][line[col["loop"]]] = counts(line)
	}
	var rows []ptxRow
	for _, k := range order {
		bs, err := strconv.ParseInt(k.bs, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		row := ptxRow{compiler: unroll.Clang, bs: bs, pragma: k.pragma}
		if k.compiler != "cl-ptx" {
			row.compiler = unroll.NVCC
		}
		l1, l2 := regions[k]["L1"], regions[k]["L2"]
		if l2.fma == 0 {
			row.want = l1.combine(float64(bs)/l1.fma, tileCounts{}, 0)
		} else {
			outside := l1.fma - l2.fma // multiply-adds of a peeled remainder
			trips := math.Ceil((float64(bs) - outside) / l2.fma)
			row.want = l1.combine(1, l2, trips-1)
			// The last pass of nvcc's loop leaves half-way: only whole multiply-adds count.
			row.want.fma = float64(bs)
			if !machineCode {
				row.want.ldLocal = 2 * float64(bs)
			}
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

// resolveTile counts what one tile iteration leaves: the difference between two
// launches with different numbers of tiles.
func resolveTile(t *testing.T, r ptxRow, machineCode bool) tileCounts {
	t.Helper()
	file, dialect := matmulDir+"matmul.cl", ast.OpenCL
	if r.compiler == unroll.NVCC {
		file, dialect = matmulDir+"matmul.cu", ast.CUDA
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pragma := "#pragma " + r.pragma
	if r.pragma == "none" {
		pragma = ""
	}
	source := strings.Replace(string(text), "/*UNROLL*/", pragma, 1)
	u, err := frontend.Parse(frontend.Config{File: file, Text: source, Dialect: dialect,
		Defines: []string{fmt.Sprintf("BLOCK_SIZE=%d", r.bs)}})
	if err != nil {
		t.Fatal(err)
	}
	k, err := lower.Lower(u, u.Kernels[0])
	if err != nil {
		t.Fatal(err)
	}
	o := compile.Options{Level: 2, Target: lookup(t, machine.LookupTarget, "ptx"),
		Profile: lookup(t, pass.LookupProfile, profiles[r.compiler])}
	if machineCode {
		o.Target = lookup(t, machine.LookupTarget, "sm_70")
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
		g, _, err := walk.Execute(k, code, launch)
		if err != nil {
			t.Fatal(err)
		}
		return countOps(g)
	}
	a, b := count(few), count(many)
	return b.combine(1.0/(many-few), a, -1.0/(many-few))
}

// profiles are those of the compilers of the table.
var profiles = map[unroll.Compiler]string{unroll.NVCC: "nvcc-11.8", unroll.Clang: "clang-nvptx-14"}

// lookup finds a target or a profile.
func lookup[T any](t *testing.T, find func(string) (T, error), name string) T {
	t.Helper()
	x, err := find(name)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// countOps counts the instructions of warp 0 by the table's classes. A loop
// instruction is one integer addition and one compare (and the branch).
func countOps(g *idg.Graph) tileCounts {
	var c tileCounts
	p, err := g.Programs()[0].Expanded(idg.MaxExpanded)
	if err != nil {
		panic(err)
	}
	for v := range p.Len() {
		in := g.Instr(p.Instr(idg.NodeID(v)))
		op, typ, _ := strings.Cut(in.Op, ".")
		switch {
		case op == "loop":
			c.compares++
			c.integer++
		case op == "setp":
			c.compares++
		case op == "barrier":
			c.barriers++
		case in.Op == "ld.local":
			c.ldLocal++
		case in.Op == "ld.global":
			c.ldGlobal++
		case in.Op == "fma.f32":
			c.fma++
		case strings.Contains("add sub mul mad shl shr and or xor not", op) && !strings.HasPrefix(typ, "f"):
			c.integer++
		}
	}
	return c
}
