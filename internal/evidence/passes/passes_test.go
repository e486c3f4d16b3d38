package passes

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/opt.tsv with clang and opt")

// TestRecord compares what is recorded with what opt does.
func TestRecord(t *testing.T) {
	if !HasLLVM() {
		t.Skip("clang and opt 14 are not installed")
	}
	got, err := Record("testdata/functions.cl")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/opt.tsv", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile("testdata/opt.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error("opt makes other code than testdata/opt.tsv says; go test -update records it")
	}
}

// TestReasons: every difference has a reason, and every reason a difference.
func TestReasons(t *testing.T) {
	rows, err := Compare()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		if r.Ours != r.Opt && r.Reason == "" {
			t.Errorf("%-12s after %-22s %v, opt %v (arith/load/store/branch/call): no reason", r.Function, r.Step.LLVM,
				r.Ours, r.Opt)
		}
		used[r.Reason] = true
	}
	for _, x := range Reasons {
		if !used[x.Text] {
			t.Errorf("%s: no difference needs %q", x.Function, x.Text)
		}
	}
}
