package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
)

// table is a table of measured times.
type table struct {
	params  []string // the columns that are parameters
	columns []int    // their numbers in a line
	rows    []row
	named   bool // the parameters are names of kernels, no macros
}

// row is one configuration and its measured time.
type row struct {
	values  []string // by parameter, as written
	seconds float64  // measured; 0 if there is no time
	step    int      // of a series
	bad     error    // what the specification asks of the row and it cannot answer
}

// measured says whether the row has a measured time. Tuners write configurations that
// failed with a word, nothing or 0 in its place.
func (r *row) measured() bool { return r.seconds > 0 }

// macro is what a parameter can be called.
var macro = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// readRecords reads the lines of a table, the header first.
func readRecords(file string) ([][]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return records, nil
}

// readTable reads every n-th row of a table. The parameters are the columns that the
// specification names, or without any all but that of the times.
func readTable(file string, s *Spec, every int) (*table, error) {
	records, err := readRecords(file)
	if err != nil {
		return nil, err
	}
	t, parameters := s.Time, s.Parameters
	if len(records) < 2 {
		return nil, fmt.Errorf("%s: a header and at least one row are needed", file)
	}
	column := slices.Index(records[0], t.Column)
	if column < 0 {
		return nil, fmt.Errorf("%s: there is no column %q; there are %q", file, t.Column, records[0])
	}
	out := &table{params: parameters}
	if len(parameters) == 0 {
		out.params = slices.Delete(slices.Clone(records[0]), column, column+1)
	}
	for _, p := range out.params {
		switch i := slices.Index(records[0], p); {
		case i < 0:
			return nil, fmt.Errorf("%s: there is no column %q; there are %q", file, p, records[0])
		case !macro.MatchString(p):
			return nil,
				fmt.Errorf("%s: column %q cannot be a macro; if it is not a parameter, list those that are in "+
					"parameters", file, p)
		default:
			out.columns = append(out.columns, i)
		}
	}
	any := false
	for i := 1; i < len(records); i += every {
		r := row{values: make([]string, len(out.columns))}
		for p, c := range out.columns {
			r.values[p] = records[i][c]
		}
		if v, err := strconv.ParseFloat(records[i][column], 64); err == nil && v > 0 && !math.IsInf(v, 0) {
			r.seconds, any = v*t.Seconds, true
		}
		out.rows = append(out.rows, r)
	}
	if !any {
		return nil, fmt.Errorf("%s: column %q has no time", file, t.Column)
	}
	return out, nil
}

// defines are the row's parameters as macros.
func (t *table) defines(r *row) []string {
	if t.named {
		return nil
	}
	return t.describe(r)
}

// describe tells the row's parameters.
func (t *table) describe(r *row) []string {
	out := make([]string, len(t.params))
	for i, p := range t.params {
		out[i] = p + "=" + r.values[i]
	}
	return out
}

// names are the row's parameters as numbers; those that are none are left out.
func (t *table) names(r *row) map[string]float64 {
	out := make(map[string]float64, len(t.params))
	for i, p := range t.params {
		if v, err := strconv.ParseFloat(r.values[i], 64); err == nil {
			out[p] = v
		}
	}
	return out
}
