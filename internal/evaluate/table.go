package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
)

// table is a table of measured times.
type table struct {
	params []string // columns, without that of the times
	rows   []row
}

// row is one configuration and its measured time.
type row struct {
	values  []string // by parameter, as written
	seconds float64
}

// readTable reads every n-th row of a CSV file with a header.
func readTable(file string, t TimeSpec, every int) (*table, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(records) < 2 {
		return nil, fmt.Errorf("%s: a header and at least one row are needed", file)
	}
	column := slices.Index(records[0], t.Column)
	if column < 0 {
		return nil, fmt.Errorf("%s: there is no column %q; there are %q", file, t.Column, records[0])
	}
	out := &table{params: slices.Delete(slices.Clone(records[0]), column, column+1)}
	for i := 1; i < len(records); i += every {
		v, err := strconv.ParseFloat(records[i][column], 64)
		if err != nil || !(v > 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%s:%d: %q is no time", file, i+1, records[i][column])
		}
		out.rows = append(out.rows, row{slices.Delete(slices.Clone(records[i]), column, column+1), v * t.Seconds})
	}
	return out, nil
}

// defines are the row's parameters as macros.
func (t *table) defines(r *row) []string {
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
