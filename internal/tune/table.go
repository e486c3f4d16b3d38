package tune

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gpupipe/internal/diag"
)

// Table is a list of variants, with their measured times where it has them.
type Table struct {
	File    string
	Names   []string // of the columns, but for the one of times
	Rows    [][]Value
	Seconds []float64 // by row; 0 = not measured
	Timed   bool      // there is a column of times
}

// timeColumn is a column of times by its unit.
var timeColumn = regexp.MustCompile(`(?i)^(?:(?:.*_)?(seconds|secs|sec|s|ms|us|ns)|time)$`)

// units are what column names and T1 call them, in seconds. Kernel Tuner's times are in milliseconds.
var units = map[string]float64{"seconds": 1, "secs": 1, "sec": 1, "s": 1, "": 1e-3, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}

// ReadTable reads a table: CSV with a header, or a cache of Kernel Tuner (JSON). The column of times is that of the
// given name, or the only one whose name ends in a unit, as in median_ms.
func ReadTable(file string, data []byte, column string) (*Table, error) {
	if first := bytes.TrimLeft(data, " \t\r\n"); len(first) > 0 && first[0] == '{' {
		return readCache(file, data)
	}
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, tableError(file, 0, "%v", err)
	}
	if len(records) < 2 {
		return nil, tableError(file, 0, "a table has a header and at least one row")
	}
	head := records[0]
	at, unit, err := findTime(file, head, column)
	if err != nil {
		return nil, err
	}
	t := &Table{File: file, Timed: at >= 0, Names: slices.Clone(head)}
	if at >= 0 {
		t.Names = slices.Delete(t.Names, at, at+1)
	}
	for i, r := range records[1:] {
		var row []Value
		seconds := 0.0
		for k, text := range r {
			if k != at {
				row = append(row, ParseValue(strings.TrimSpace(text)))
				continue
			}
			n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if strings.TrimSpace(text) != "" && (err != nil || !(n > 0)) {
				return nil, tableError(file, i+2, "%s is %q: a time is a positive number, or empty", head[at], text)
			}
			seconds = n * unit
		}
		t.Rows, t.Seconds = append(t.Rows, row), append(t.Seconds, seconds)
	}
	return t, nil
}

// findTime is the column of times, -1 if there is none, and its unit in seconds.
func findTime(file string, head []string, column string) (int, float64, error) {
	var found []int
	for i, name := range head {
		if column != "" && name == column || column == "" && timeColumn.MatchString(name) {
			found = append(found, i)
		}
	}
	switch {
	case column != "" && len(found) == 0:
		return 0, 0, tableError(file, 1, "there is no column %q", column)
	case len(found) > 1:
		var names []string
		for _, i := range found {
			names = append(names, head[i])
		}
		return 0, 0, tableError(file, 1, "%s may all be times: choose one with %s:COLUMN", strings.Join(names, ", "),
			file)
	case len(found) == 0:
		return -1, 0, nil
	}
	m := timeColumn.FindStringSubmatch(head[found[0]])
	if m == nil {
		return 0, 0, tableError(file, 1, "the name of column %s does not end in a unit: _seconds, _ms, _us or _ns",
			column)
	}
	return found[0], units[strings.ToLower(m[1])], nil
}

// readCache reads a cache of Kernel Tuner.
func readCache(file string, data []byte) (*Table, error) {
	var c cacheFile
	if err := json.Unmarshal(closed(data), &c); err != nil {
		return nil, tableError(file, 0, "this is not a cache of Kernel Tuner: %v", err)
	}
	if len(c.Keys) == 0 {
		return nil, tableError(file, 0, "this is not a cache of Kernel Tuner: it has no tune_params_keys")
	}
	t := &Table{File: file, Names: c.Keys, Timed: true}
	for _, e := range c.entries() {
		var row []Value
		for _, name := range c.Keys {
			v, ok := e.values[name]
			if !ok {
				return nil, tableError(file, 0, "configuration %q has no %s", e.key, name)
			}
			row = append(row, plainValue(v))
		}
		milliseconds, _ := e.values["time"].(float64) // else it could not run
		t.Rows, t.Seconds = append(t.Rows, row), append(t.Seconds, milliseconds*units["ms"])
	}
	return t, nil
}

// closed is a cache whose last brackets may be missing, as of a run that was interrupted.
func closed(data []byte) []byte {
	data = bytes.TrimRight(data, " \t\r\n")
	if json.Valid(data) {
		return data
	}
	return append(bytes.TrimRight(slices.Clone(data), ","), "}}"...)
}

// plainValue is a value of JSON.
func plainValue(v any) Value {
	if f, ok := v.(float64); ok && f == float64(int(f)) {
		return int(f)
	}
	return v
}

// Space has the columns of a table that keep wants as parameters, and its rows as variants.
func (t *Table) Space(keep func(name string) bool) (*Space, error) {
	s := &Space{}
	var columns []int
	for i, name := range t.Names {
		if !keep(name) {
			continue
		}
		p := Param{Name: name}
		for _, r := range t.Rows {
			if !slices.Contains(p.Values, r[i]) {
				p.Values = append(p.Values, r[i])
			}
		}
		s.Params, columns = append(s.Params, p), append(columns, i)
	}
	if len(columns) == 0 {
		return nil, tableError(t.File, 1, "the source and the expressions have none of the columns %s",
			strings.Join(t.Names, ", "))
	}
	numbers, err := t.numbers(s)
	if err != nil {
		return nil, err
	}
	s.Listed = slices.Sorted(slices.Values(numbers))
	return s, nil
}

// numbers are the variants of a table's rows, -1 for a row that is none.
func (t *Table) numbers(s *Space) ([]int64, error) {
	var columns []int
	for i := range s.Params {
		k := slices.Index(t.Names, s.Params[i].Name)
		if k < 0 && len(s.Params[i].Values) > 1 {
			return nil, tableError(t.File, 1, "there is no column for the parameter %s", s.Params[i].Name)
		}
		columns = append(columns, k)
	}
	seen := map[int64]int{}
	var out []int64
	for i, r := range t.Rows {
		values := make([]Value, len(columns))
		for k, c := range columns {
			if values[k] = s.Params[k].Values[0]; c >= 0 {
				values[k] = r[c]
			}
		}
		n := s.Number(values)
		if before, ok := seen[n]; ok && n >= 0 {
			return nil, tableError(t.File, i+2, "the parameters are those of row %d", before+2)
		}
		seen[n] = i
		out = append(out, n)
	}
	return out, nil
}

// Measured are the times of a table by variant.
func (t *Table) Measured(s *Space) (map[int64]float64, error) {
	if !t.Timed {
		return nil, tableError(t.File, 1, "no column is a time: its name ends in _seconds, _ms, _us or _ns, or is "+
			"given as %s:COLUMN", t.File)
	}
	numbers, err := t.numbers(s)
	if err != nil {
		return nil, err
	}
	out := map[int64]float64{}
	for i, n := range numbers {
		if n >= 0 && t.Seconds[i] > 0 {
			out[n] = t.Seconds[i]
		}
	}
	if len(out) == 0 {
		return nil, tableError(t.File, 0, "none of the rows is a variant of this space that was measured")
	}
	return out, nil
}

func tableError(file string, line int, format string, args ...any) *diag.Error {
	return diag.Errorf(diag.Pos{File: file, Line: line}, "TABLE", format, args...)
}
