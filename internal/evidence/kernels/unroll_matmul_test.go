package kernels_test

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
)

// measured is one row of unroll_matmul.tsv by column name.
type measured map[string]string

// number returns an integer column.
func (m measured) number(t *testing.T, column string) int {
	t.Helper()
	n, err := strconv.Atoi(m[column])
	if err != nil {
		t.Fatalf("column %q: %v", column, err)
	}
	return n
}

// readMeasured returns the table's rows of one compiler by block size, pragma and
// loop, and the (block size, pragma) pairs in the table's order.
func readMeasured(t *testing.T, compiler string) (rows map[[3]string]measured, pairs [][2]string) {
	t.Helper()
	f, err := os.Open(matmulDir + "unroll_matmul.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	table, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows = map[[3]string]measured{}
	for _, line := range table[1:] {
		m := measured{}
		for i, column := range table[0] {
			m[column] = line[i]
		}
		if m["compiler"] != compiler {
			continue
		}
		rows[[3]string{m["BS"], m["pragma"], m["loop"]}] = m
		if m["loop"] == "all" {
			pairs = append(pairs, [2]string{m["BS"], m["pragma"]})
		}
	}
	if len(pairs) == 0 {
		t.Fatalf("no rows of %s", compiler)
	}
	return rows, pairs
}

// clangDecides marks the pragmas that leave the form of the unrolled loop to
// clang: no factor, or one with a remainder. There clang comes to other forms in
// CUDA than in OpenCL, which the table's clang rows were measured with.
var clangDecides = map[string]bool{"none": true, "unroll 3": true, "unroll 5": true}

// TestUnrollMatmulIsTheMeasuredKernel compiles testdata/unroll_matmul with the
// compiler of the table's cl-ptx rows and compares every count of every row: a
// kernel with another bound, index or access gives other counts. (The signedness
// of k or of the work-item ids makes no difference to clang.) The table's clang ran
// at -O3: at -O2 its threshold for unrolling without a pragma is lower.
func TestUnrollMatmulIsTheMeasuredKernel(t *testing.T) {
	if major := clangMajor(t); major != "14" {
		tools.Missing(t, "the table's counts are clang 14's, this is clang %s", major)
	}
	rows, pairs := readMeasured(t, "cl-ptx")
	for _, file := range []string{"matmul.cl", "matmul.cu"} {
		text, err := os.ReadFile(matmulDir + file)
		if err != nil {
			t.Fatal(err)
		}
		const marker = "/*UNROLL*/"
		if n := strings.Count(string(text), marker); n != 1 {
			t.Fatalf("%s has the marker %s %d times, want once", file, marker, n)
		}
		for _, p := range pairs {
			size, pragma := p[0], p[1]
			if file == "matmul.cu" && clangDecides[pragma] {
				continue
			}
			t.Run(file+"/BS="+size+"/"+pragma, func(t *testing.T) {
				t.Parallel()
				line := ""
				if pragma != "none" {
					line = "#pragma " + pragma
				}
				source := strings.Replace(string(text), marker, line, 1)
				k := parsePTX(t, compilePTX(t, file, source, true, "-O3", "-DBLOCK_SIZE="+size), "matmul")

				regions := map[string][]int{"all": k.all()}
				if outer := single(t, k.loops(k.all())); outer != nil {
					regions["L1"] = outer
					if inner := single(t, k.loops(outer[1:])); inner != nil {
						regions["L2"] = inner
					}
				}
				for _, name := range []string{"all", "L1", "L2"} {
					row, want := rows[[3]string{size, pragma, name}]
					blocks, have := regions[name]
					if want != have {
						t.Errorf("%s: in the table %t, in the PTX %t", name, want, have)
						continue
					}
					if !want {
						continue
					}
					// Outside the loops CUDA's PTX has more: clang takes pointer
					// arguments for generic ones and converts them.
					if file == "matmul.cu" && name == "all" {
						continue
					}
					got := k.count(blocks)
					if w := row.number(t, "loop_n"); got[""] != w {
						t.Errorf("%s: %d instructions, want %d", name, got[""], w)
					}
					for _, class := range ptxClasses {
						if w := row.number(t, class); got[class] != w {
							t.Errorf("%s: %d %s, want %d", name, got[class], class, w)
						}
					}
				}
			})
		}
	}
}

// single returns the only loop of a list, or nil if the list is empty; more than
// one is an error.
func single(t *testing.T, loops [][]int) []int {
	t.Helper()
	switch len(loops) {
	case 0:
		return nil
	case 1:
		return loops[0]
	default:
		t.Errorf("%d loops side by side, want at most one", len(loops))
		return nil
	}
}
