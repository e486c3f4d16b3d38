package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// refusing runs the command on the test kernel with another table and returns the
// report and the rows.
func refusing(t *testing.T, table string) (status int, report, said string, rows [][]string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "scale.csv"), []byte(table), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "rows.csv")
	var stdout, stderr bytes.Buffer
	status = run([]string{"--gpu", "a100", "--sources", "testdata", "--measured", dir, "-o", out,
		"testdata/scale.yaml"}, &stdout, &stderr)
	if status == exitDone {
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if rows, err = csv.NewReader(bytes.NewReader(data)).ReadAll(); err != nil {
			t.Fatal(err)
		}
	}
	return status, stdout.String(), stderr.String(), rows
}

// TestRefused: a configuration that cannot be launched, or of which the source cannot be
// compiled, is left out and said, and so is one without a time; the others are compared.
func TestRefused(t *testing.T) {
	status, report, said, rows := refusing(t, "block_size,tile,ms\n64,1,0.5\n2048,1,0.1\n64,4,1.5\n4096,4,0.1\n"+
		"128,1.5,0.2\n128,none,0.2\n128,1,InvalidConfig\n128,4,1.25\n")
	if status != exitDone {
		t.Fatalf("status %d: %s", status, said)
	}
	for _, want := range []string{
		"scale (written for this test), 8 configurations",
		"1 of 8 rows have no measured time",
		"4 of 8 configurations are refused",
		"- 2, the first in line 3 of the table (block_size=2048 tile=1): a work group has 2048 to 4096 work items",
		"- 1, the first in line 6 of the table (block_size=128 tile=1.5): scale.cu:",
		"- 1, the first in line 7 of the table (block_size=128 tile=none): apart: \"tile > 1\": there is no " +
			"parameter tile that is a number",
		" (2), 128 ",
		"Large tiles: 2 configurations",
		"(4); using those of similar instructions",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	if len(rows) != 9 {
		t.Fatalf("%d lines of CSV, want a header and 8 rows", len(rows))
	}
	predicted, refused, measured := slices.Index(rows[0], "predicted_s"), slices.Index(rows[0], "refused"),
		slices.Index(rows[0], "measured_s")
	for i, want := range []bool{true, false, true, false, false, false, true, true} {
		if r := rows[i+1]; (r[predicted] != "") != want || (r[refused] == "") != want {
			t.Errorf("row %d: predicted %q, refused %q", i+1, r[predicted], r[refused])
		}
	}
	if rows[7][measured] != "" || rows[8][measured] == "" {
		t.Errorf("measured times %q and %q of the last rows", rows[6][measured], rows[7][measured])
	}
}

// TestAllRefused: what is wrong with every row is an error, and so is nothing to compare.
func TestAllRefused(t *testing.T) {
	for _, c := range []struct{ table, want string }{
		{"block_size,tile,ms\n2048,1,0.5\n4096,1,0.5\n",
			"no configuration can be predicted; row 2, [block_size=2048 tile=1]: "},
		{"block_size,tile,ms\n64,1,failed\n", `column "ms" has no time`},
		{"block_size,tile,ms\n64,1,failed\n2048,1,0.5\n", "no configuration can be predicted; row 3"},
		{"block_size,tile,GB/s,ms\n64,1,3,0.5\n", `column "GB/s" cannot be a macro`},
	} {
		if status, _, said, _ := refusing(t, c.table); status != exitInput || !strings.Contains(said, c.want) {
			t.Errorf("%q: status %d, %q lacks %q", c.table, status, said, c.want)
		}
	}
}
