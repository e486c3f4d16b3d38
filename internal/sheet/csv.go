package sheet

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Records are a table for programs.
type Records struct {
	Names []string // of the columns
	Rows  [][]any  // the values of a row, in order of the names
}

// RecordsOf makes a record of each struct of a list: a column for each of its fields, named as in JSON.
func RecordsOf[T any](list []T) (r Records) {
	fields := reflect.VisibleFields(reflect.TypeFor[T]())
	for _, f := range fields {
		if !f.Anonymous {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			r.Names = append(r.Names, name)
		}
	}
	for i := range list {
		var row []any
		for _, f := range fields {
			if !f.Anonymous {
				row = append(row, reflect.ValueOf(&list[i]).Elem().FieldByIndex(f.Index).Interface())
			}
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

// WriteCSV writes records under a header. A number is written as in JSON, nil as an empty cell.
func (r *Records) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write(r.Names) // Error reports the first failure of all
	for _, row := range r.Rows {
		var cells []string
		for _, v := range row {
			cell, err := csvCell(v)
			if err != nil {
				return err
			}
			cells = append(cells, cell)
		}
		_ = out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

// Harmless is a text that spreadsheets do not take for a formula (OWASP, CSV injection): it begins with an apostrophe.
// Other texts stay as they are, but those that Told would take for one.
func Harmless(s string) string {
	if isFormula(s) {
		return "'" + s
	}
	return s
}

// Told is the text of which Harmless made a cell.
func Told(cell string) string {
	if isFormula(cell) {
		return strings.TrimPrefix(cell, "'")
	}
	return cell
}

func isFormula(s string) bool {
	s = strings.TrimLeft(s, "'")
	return s != "" && strings.ContainsRune("=@\t\r", rune(s[0]))
}

func csvCell(v any) (string, error) {
	if s, ok := v.(string); ok {
		return Harmless(s), nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("column of type %T: %w", v, err)
	}
	if string(text) == "null" {
		return "", nil
	}
	return strings.Trim(string(text), `"`), nil
}
