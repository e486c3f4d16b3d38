package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// measuredTimes is a file of measured times.
type measuredTimes struct {
	file     string
	occupied measuredColumn // warps or groups
	time     measuredColumn
	rows     []measuredRow
}

// measuredColumn is a column that is understood.
type measuredColumn struct {
	name  string
	index int
}

type measuredRow struct {
	line      int
	occupancy int64
	time      float64
}

// Columns of measured times, by the unit of their seconds; cycles depend on the
// device.
var timeUnits = map[string]float64{"seconds": 1, "s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9,
	columnCycles: 0}

const (
	columnWarps  = "warps"
	columnGroups = "groups"
	columnCycles = "cycles"
)

// byteOrderMark is what spreadsheets write before the header.
const byteOrderMark = "\ufeff"

// A file of measured times has at most so many rows and bytes.
const (
	maxMeasuredRows  = 1 << 12
	maxMeasuredBytes = 4 << 20
)

// readMeasured reads a file, or standard input for "-".
func readMeasured(c *console.Console, name string) (*measuredTimes, error) {
	const tooLarge = "measured times of more than %d MB are refused"
	if name == console.StandardStream {
		const shown = "<stdin>"
		data, err := console.Read(c.Stdin, shown, maxMeasuredBytes, tooLarge)
		if err != nil {
			return nil, err
		}
		return parseMeasured(bytes.NewReader(data), shown)
	}
	data, err := console.ReadFile(name, maxMeasuredBytes, tooLarge)
	if err != nil {
		return nil, err
	}
	return parseMeasured(bytes.NewReader(data), name)
}

// parseMeasured reads the header and the rows.
func parseMeasured(r io.Reader, name string) (*measuredTimes, error) {
	m := &measuredTimes{file: name}
	text := bufio.NewReader(r)
	if mark, _ := text.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = text.Discard(len(byteOrderMark))
	}
	in := csv.NewReader(text)
	in.Comment, in.TrimLeadingSpace = '#', true
	header, err := in.Read()
	if err != nil {
		return nil, m.csvError(err, "the file is empty")
	}
	if err := m.parseHeader(header); err != nil {
		return nil, err
	}
	seen := map[int64]int{}
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, m.csvError(err, "")
		}
		line, _ := in.FieldPos(0)
		row, err := m.parseRow(record, line)
		if err != nil {
			return nil, err
		}
		if first, ok := seen[row.occupancy]; ok {
			return nil, m.errorf(line, "%d %s are measured twice, here and in line %d; give one time for each, such "+
				"as the mean", row.occupancy, m.occupied.name, first)
		}
		seen[row.occupancy] = line
		if m.rows = append(m.rows, row); len(m.rows) > maxMeasuredRows {
			return nil, m.errorf(line, "more than %d rows", maxMeasuredRows)
		}
	}
	if len(m.rows) == 0 {
		return nil, m.errorf(1, "there are no rows below the header")
	}
	slices.SortFunc(m.rows, func(a, b measuredRow) int { return cmp.Compare(a.occupancy, b.occupancy) })
	return m, nil
}

func (m *measuredTimes) errorf(line int, format string, args ...any) error {
	return diag.Errorf(diag.Pos{File: m.file, Line: line}, codeMeasured, format, args...)
}

// csvError is an error of the reader with its position.
func (m *measuredTimes) csvError(err error, atEnd string) error {
	var parse *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return m.errorf(0, "%s", atEnd)
	case errors.As(err, &parse):
		return m.errorf(parse.Line, "%v", parse.Err)
	}
	return console.FileError(m.file, err)
}

func (m *measuredTimes) parseHeader(header []string) error {
	m.occupied.index, m.time.index = -1, -1
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		column := &m.time
		if name == columnWarps || name == columnGroups {
			column = &m.occupied
		} else if _, ok := timeUnits[name]; !ok {
			continue
		}
		if column.index >= 0 {
			return m.errorf(1, "both %q and %q are given; one is needed", column.name, name)
		}
		column.name, column.index = name, i
	}
	if m.occupied.index < 0 || m.time.index < 0 {
		return m.errorf(1, "the columns are %q; needed are warps or groups, and seconds, ms, us, ns or cycles", header)
	}
	return nil
}

func (m *measuredTimes) parseRow(record []string, line int) (row measuredRow, err error) {
	row.line = line
	text := strings.TrimSpace(record[m.occupied.index])
	if row.occupancy, err = strconv.ParseInt(text, 10, 64); err != nil || row.occupancy < 1 ||
		row.occupancy > maxSmall {
		return row, m.errorf(line, "%q is not a number of %s from 1 to %d", text, m.occupied.name, maxSmall)
	}
	text = strings.TrimSpace(record[m.time.index])
	if row.time, err = strconv.ParseFloat(text, 64); err != nil || !(row.time > 0) || math.IsInf(row.time, 0) {
		return row, m.errorf(line, "%q is not a valid time in %s: a positive number", text, m.time.name)
	}
	return row, nil
}

// at turns the rows into occupancies in warps, ascending, and cycles.
func (m *measuredTimes) at(warpsPerGroup int64, d *latencies.Device) (warps []int64, cycles []float64, err error) {
	for _, r := range m.rows {
		w, t := r.occupancy, r.time
		if m.occupied.name == columnGroups {
			w *= warpsPerGroup
		}
		if m.time.name != columnCycles {
			t *= timeUnits[m.time.name] * float64(d.ClockHz)
		}
		if !(t > 0) || math.IsInf(t, 0) || math.IsInf(1/t, 0) {
			return nil, nil, m.errorf(r.line, "a time of %v %s cannot be compared", r.time, m.time.name)
		}
		if w > maxSmall {
			return nil, nil, m.errorf(r.line, "%d %s are more than %d warps", r.occupancy, m.occupied.name, maxSmall)
		}
		warps, cycles = append(warps, w), append(cycles, t)
	}
	return warps, cycles, nil
}
