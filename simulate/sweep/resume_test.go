package sweep

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
	"gpupipe/simulate"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestRowsReadBack reads rows of both formats with the standard library and
// with Resume.
func TestRowsReadBack(t *testing.T) {
	p := plan(t, space(t), Shard{})
	rows, text := run(t, p, 2, CSV)
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(records) != len(rows)+1 || !cmp.Equal(records[0], p.Columns()) {
		t.Fatalf("%d records, %v", len(records), err)
	}
	_, objects := run(t, p, 2, JSONLines)
	for i, line := range lines(objects) {
		var o map[string]any
		if err := json.Unmarshal(line, &o); err != nil {
			t.Fatal(err)
		}
		if len(o) != len(p.Columns()) || o["row"] != float64(i+1) || o["graph"] != rows[i].Values[0] {
			t.Errorf("row %d: %s", i+1, line)
		}
		if c, failed := o["cycles"], rows[i].Error != ""; failed != (c == nil) || !failed && c != rows[i].Cycles {
			t.Errorf("row %d: %v cycles, want %v", i+1, c, rows[i].Cycles)
		}
	}
	for f, text := range map[Format][]byte{CSV: text, JSONLines: objects} {
		read, keep, err := p.Resume("f", text, f)
		if err != nil || keep != len(text) {
			t.Fatalf("%v: %d of %d bytes kept, %v", f, keep, len(text), err)
		}
		if d := cmp.Diff(rows, read, cmpopts.IgnoreUnexported(Configuration{})); d != "" {
			t.Errorf("%v: %s", f, d)
		}
	}
}

// TestResumeAfterTruncation cuts the text after every byte of its header and of
// its last two lines, and continues: the result is the whole text.
func TestResumeAfterTruncation(t *testing.T) {
	s := space(t)
	s.Vary, s.Schedulers = s.Vary[1:], nil
	s.Graphs[0], s.Graphs[1] = s.Graphs[1], s.Graphs[0]
	for _, f := range []Format{CSV, JSONLines} {
		p := plan(t, s, Shard{2, 3})
		_, whole := run(t, p, 2, f)
		all := lines(whole)
		tail := len(whole) - len(all[len(all)-1]) - len(all[len(all)-2])
		for cut := 0; cut <= len(whole); cut += tools.Cases(1, 5) {
			if cut > len(all[0])+1 && cut < tail {
				continue
			}
			rows, keep, err := p.Resume("f", whole[:cut], f)
			if err != nil || keep > cut {
				t.Fatalf("%v cut after %d bytes: %d kept, %v", f, cut, keep, err)
			}
			text := bytes.Clone(whole[:keep])
			if keep == 0 {
				text = p.AppendHeader(text, f)
			}
			if err := p.Run(context.Background(), len(rows), 1, func(r *Row) error {
				text = p.Append(text, f, r)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(text, whole) {
				t.Fatalf("%v cut after %d bytes: continued to\n%s\nwant\n%s", f, cut, text, whole)
			}
		}
	}
}

func TestResumeRefuses(t *testing.T) {
	p := plan(t, space(t), Shard{})
	_, text := run(t, p, 2, CSV)
	_, objects := run(t, p, 2, JSONLines)
	all := lines(text)
	joined := func(parts ...[]byte) string { return string(bytes.Join(parts, nil)) }
	changed := func(old, with string) string { return strings.Replace(string(text), old, with, 1) }
	other := space(t)
	other.Base.Full = true
	_, full := run(t, plan(t, other, Shard{}), 2, CSV)
	other = space(t)
	other.Schedulers = []simulate.Scheduler{simulate.Oldest, simulate.RoundRobin}
	_, swapped := run(t, plan(t, other, Shard{}), 2, CSV)
	other.Schedulers = nil
	_, narrower := run(t, plan(t, other, Shard{}), 2, CSV)
	_, shard := run(t, plan(t, space(t), Shard{2, 2}), 2, CSV)
	for _, c := range []struct {
		name, text string
		format     Format
		want       string
	}{
		{"something else", "hello\n", CSV, "f:1: error[RESUME]: the columns are not those"},
		{"something else, torn", "hello", CSV, "the columns are not those"},
		{"other columns", string(narrower), CSV, "f:1: error[RESUME]: the columns are not those"},
		{"other settings", string(full), CSV, "f:2: error[RESUME]: the graph, the device or a setting has changed"},
		{"other order", string(swapped), CSV, "f:2: error[RESUME]: scheduler is oldest where this sweep has rr"},
		{"other shard", string(shard), CSV, "f:2: error[RESUME]: this is row 2 where this sweep has row 1"},
		{"a row twice", joined(all[0], all[1], all[1]), CSV,
			"f:3: error[RESUME]: this is row 1 where this sweep has row 2"},
		{"a row too many", joined(text, all[1]), CSV, "there are more than the 144 rows"},
		{"torn in the middle", joined(all[0], all[1][:20], all[2]), CSV, "f:2: error[RESUME]: the line is not a row"},
		{"a number that was edited", changed(",false,", ",maybe,"), CSV, `extrapolated: "maybe" cannot be read`},
		{"a number in other digits", changed("\n1,", "\n01,"), CSV, "it is not as pipesim writes it"},
		{"an empty line", joined(all[0], []byte("\n")), CSV, "f:2: error[RESUME]"},
		{"csv as jsonl", string(text), JSONLines, "f:1: error[RESUME]"},
		{"jsonl as csv", string(objects), CSV, "f:1: error[RESUME]"},
		{"a report", `{"format":"pipesim"}`, JSONLines, "f:1: error[RESUME]: the line is not a row"},
		{"an object in a row", "{\"row\":{}}\n", JSONLines, "row is not a value"},
		{"an empty object", "{}\n", JSONLines, `row: "" cannot be read`},
	} {
		rows, _, err := p.Resume("f", []byte(c.text), c.format)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %d rows, error %v, want %q", c.name, len(rows), err, c.want)
		}
	}
}

// FuzzResume holds that whatever a file holds, what is kept of it is what the
// sweep would have written.
func FuzzResume(f *testing.F) {
	s := space(f)
	s.Schedulers, s.Vary, s.Graphs = nil, nil, s.Graphs[:1]
	p := plan(f, s, Shard{})
	_, text := run(f, p, 1, CSV)
	_, objects := run(f, p, 1, JSONLines)
	f.Add(text, true)
	f.Add(text[:len(text)-5], true)
	f.Add(objects, false)
	f.Add(objects[:len(objects)-5], false)
	f.Fuzz(func(t *testing.T, text []byte, records bool) {
		format := JSONLines
		if records {
			format = CSV
		}
		rows, keep, err := p.Resume("f", text, format)
		if err != nil {
			return
		}
		var again []byte
		if keep > 0 {
			again = p.AppendHeader(nil, format)
		}
		for _, r := range rows {
			again = p.Append(again, format, r)
		}
		if !bytes.Equal(again, text[:keep]) {
			t.Errorf("kept %q, which is not %q", text[:keep], again)
		}
	})
}
