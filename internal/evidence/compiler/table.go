package main

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed testdata
var testdata embed.FS

// table is a file of columns that tabs separate.
type table struct {
	comments []string // without "# "
	columns  []string
	rows     [][]string
}

// readTable reads a table of testdata.
func readTable(name string) (*table, error) {
	text, err := testdata.ReadFile("testdata/" + name)
	if err != nil {
		return nil, err
	}
	t := &table{}
	number := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		number++
		switch {
		case strings.HasPrefix(line, "#"):
			t.comments = append(t.comments, strings.TrimSpace(line[1:]))
		case t.columns == nil:
			t.columns = strings.Split(line, "\t")
		default:
			row := strings.Split(line, "\t")
			if len(row) != len(t.columns) {
				return nil, fmt.Errorf("%s:%d: %d columns, want %d", name, number, len(row), len(t.columns))
			}
			t.rows = append(t.rows, row)
		}
	}
	return t, nil
}

// get is a row's text in a column, "" where the table has none of the name.
func (t *table) get(row []string, column string) string {
	if i := slices.Index(t.columns, column); i >= 0 {
		return row[i]
	}
	return ""
}

// number is a row's figure in a column, -1 where it is not known.
func (t *table) number(row []string, column string) (int64, error) {
	text := t.get(row, column)
	if text == "" || text == "-" {
		return -1, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w", row[0], column, err)
	}
	return n, nil
}

// write writes a table into a folder.
func (t *table) write(dir, name string) error {
	var b bytes.Buffer
	for _, c := range t.comments {
		fmt.Fprintf(&b, "# %s\n", c)
	}
	fmt.Fprintln(&b, strings.Join(t.columns, "\t"))
	for _, r := range t.rows {
		fmt.Fprintln(&b, strings.Join(r, "\t"))
	}
	return os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666)
}
