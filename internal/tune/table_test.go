package tune

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"gpupipe/simulate/sweep"
)

func TestReadTable(t *testing.T) {
	for _, c := range []struct{ name, text, column, want string }{
		{"times", "A,B,median_ms\n1,x,2\n2,y,\n", "", "[A B] [[1 x] [2 y]] [0.002 0] true"},
		{"chosen", "A,t_us,p_us\n1,2,3\n", "p_us", "[A t_us] [[1 2]] [3e-06] true"},
		{"no times", "A\n0.5\n", "", "[A] [[0.5]] [0] false"},
		{"cache", `{"tune_params_keys": ["A"], "cache": {"2": {"A": 2, "time": 3}, "1": {"A": 1, "time": "InvalidConfig"}`, "",
			"[A] [[2] [1]] [0.003 0] true"},
		{"two times", "A,a_ms,b_ms\n1,2,3\n", "", "a_ms, b_ms may all be times"},
		{"no such", "A,a_ms\n1,2\n", "b", `there is no column "b"`},
		{"no unit", "A,b\n1,2\n", "b", "does not end in a unit"},
		{"bad time", "A,a_ms\n1,-2\n", "", `t.csv:2: error[TABLE]: a_ms is "-2"`},
		{"empty", "A,a_ms\n", "", "at least one row"},
		{"no cache", `{"a": 1}`, "", "no tune_params_keys"},
	} {
		got := ""
		table, err := ReadTable("t.csv", []byte(c.text), c.column)
		if err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(table.Names, table.Rows, table.Seconds, table.Timed)
		}
		if want := strings.ReplaceAll(c.want, "] ", "]"); strings.ReplaceAll(got, "] ", "]") != want &&
			!(err != nil && strings.Contains(got, c.want)) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestTableSpace(t *testing.T) {
	table, err := ReadTable("t.csv", []byte("A,B,id,x_ms\n1,x,7,2\n2,y,8,\n1,y,9,3\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Space(func(name string) bool { return name != "id" })
	if err != nil {
		t.Fatal(err)
	}
	variants, err := s.Variants()
	if err != nil || len(variants) != 3 {
		t.Fatalf("%d variants, %v", len(variants), err)
	}
	measured, err := table.Measured(s)
	if err != nil || fmt.Sprint(measured) != "map[0:0.002 1:0.003]" {
		t.Errorf("%v, %v", measured, err)
	}
	if _, err := table.Space(func(name string) bool { return name == "A" }); err == nil ||
		!strings.Contains(err.Error(), "t.csv:4: error[TABLE]: the parameters are those of row 2") {
		t.Error(err)
	}
}

// TestWriteCache: what is written as a cache is read as a table of the same variants and times.
func TestWriteCache(t *testing.T) {
	p := planOf(t, sweep.Shard{}, plain, "BX=64,96", "N=1,2")
	rows := predicted(t, p, RunOptions{})
	var b bytes.Buffer
	if err := WriteCache(&b, p, rows); err != nil {
		t.Fatal(err)
	}
	table, err := ReadTable("cache.json", b.Bytes(), "")
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	measured, err := table.Measured(p.Space)
	if err != nil || len(measured) != 2 {
		t.Fatalf("%v, %v", measured, err)
	}
	for i := range rows {
		if m := measured[rows[i].Number]; (m == 0) != (rows[i].Error != "") || m > 0 && m/rows[i].Seconds-1 > 1e-12 {
			t.Errorf("%s: %v in the cache, %v", p.Describe(&rows[i]), m, rows[i].Outcome)
		}
	}
	b.Reset()
	if err := WriteT4(&b, p, rows); err != nil || !strings.Contains(b.String(), `"invalidity": "compile"`) {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestResume(t *testing.T) {
	p := planOf(t, sweep.Shard{}, plain, "BX=64,96", "N=1,2")
	rows := predicted(t, p, RunOptions{})
	var text []byte
	for i := range rows {
		var err error
		if text, err = AppendLine(text, &rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	for _, cut := range []int{0, 1, len(text) / 2, len(text) - 1, len(text)} {
		known, err := p.Resume("rows", text[:cut])
		if err != nil || len(known) != bytes.Count(text[:cut], []byte("\n")) {
			t.Fatalf("%d rows of %d bytes, %v", len(known), cut, err)
		}
		again := planOf(t, sweep.Shard{}, plain, "BX=64,96", "N=1,2")
		if got := predicted(t, again, RunOptions{Known: known}); fmt.Sprint(got) != fmt.Sprint(rows) {
			t.Errorf("after %d bytes: %v, want %v", cut, got, rows)
		}
	}
	other := planOf(t, sweep.Shard{}, []string{"AT(i)=(i)+1"}, "BX=64,96", "N=1,2")
	if _, err := other.Resume("rows", text); err == nil || !strings.Contains(err.Error(), "has changed since this row") {
		t.Error(err)
	}
}

func TestReadT1(t *testing.T) {
	text := `{"ConfigurationSpace": {"TuningParameters": [{"Name": "A", "Type": "int", "Values": "list(range(1, 4))"},
		{"Name": "B", "Type": "string", "Values": "['x', 'y']"}, {"Name": "C", "Values": [1, 2]}],
		"Conditions": [{"Expression": "A < 3"}]},
		"KernelSpecification": {"KernelName": "k", "LocalSize": {"X": "A", "Y": 2}, "ProblemSize": [64, "A"],
		"GridDivX": ["A", "C"]}}`
	if !IsT1([]byte(text)) {
		t.Fatal("it is not taken for a T1 file")
	}
	got, err := ReadT1("t1.json", []byte(text))
	want := "{k  [{A [1 2 3]} {B [x y]} {C [1 2]}] [A < 3] A,2 ceil((64) / (A * C)),A}"
	if err != nil || fmt.Sprint(*got) != want {
		t.Errorf("%v, %v, want %s", got, err, want)
	}
	for _, bad := range []string{"{", `{"ConfigurationSpace": {}}`,
		`{"ConfigurationSpace": {"TuningParameters": [{"Name": "A", "Values": "range("}]}}`} {
		if _, err := ReadT1("t1.json", []byte(bad)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestPair(t *testing.T) {
	parse := func(text string) []Param {
		p, err := ParsePoint(text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	s, err := Pair(parse("A=1 B=2"), parse("A=1,B=3"), parse("C=5"))
	if err != nil || fmt.Sprint(s.Params, s.Listed) != "[{C [5]} {A [1]} {B [2 3]}] [0 1]" {
		t.Errorf("%v, %v", s, err)
	}
	if _, err := Pair(parse("A=1"), parse("B=1"), nil); err == nil {
		t.Error("two variants of other parameters are a pair")
	}
	if _, err := Pair(parse("A=1"), parse("A=1"), nil); err == nil {
		t.Error("a variant and itself are a pair")
	}
}
