package sweep

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"

	"gpupipe/internal/sheet"
)

// Format is a form of rows, one line each.
type Format uint8

// The formats. The zero value is invalid.
const (
	CSV       Format = iota + 1 // a header, then a record for each row (RFC 4180, with "\n")
	JSONLines                   // an object for each row
)

func (f Format) String() string {
	switch f {
	case CSV:
		return "csv"
	case JSONLines:
		return "jsonl"
	}
	return "invalid format"
}

// Columns are the names of the columns: row (from 1, in the whole sweep), the
// parameters, the results, error and key.
func (p *Plan) Columns() []string {
	names := make([]string, len(p.columns))
	for i := range p.columns {
		names[i] = p.columns[i].name
	}
	return names
}

// AppendHeader appends what stands before the first row.
func (p *Plan) AppendHeader(b []byte, f Format) []byte {
	if f == CSV {
		return appendCSV(b, p.Columns())
	}
	return b
}

// Append appends the line of a row.
func (p *Plan) Append(b []byte, f Format, r *Row) []byte {
	if f == JSONLines {
		return p.appendJSON(b, r)
	}
	record := make([]string, len(p.columns))
	for i := range p.columns {
		record[i] = sheet.Harmless(p.columns[i].textOf(r))
	}
	return appendCSV(b, record)
}

func appendCSV(b []byte, record []string) []byte {
	var line bytes.Buffer
	w := csv.NewWriter(&line)
	_ = w.Write(record) // a buffer takes everything
	w.Flush()
	return append(b, line.Bytes()...)
}

func (p *Plan) appendJSON(b []byte, r *Row) []byte {
	b = append(b, '{')
	for i := range p.columns {
		c := &p.columns[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, c.name)
		b = append(b, ':')
		text := c.textOf(r)
		switch {
		case text == "":
			b = append(b, "null"...)
		case c.kind == kindBool, c.kind == kindNumber && json.Valid([]byte(text)):
			b = append(b, text...)
		default:
			b = appendString(b, text)
		}
	}
	return append(b, "}\n"...)
}

func appendString(b []byte, text string) []byte {
	var quoted bytes.Buffer
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can always be encoded
	return append(b, bytes.TrimRight(quoted.Bytes(), "\n")...)
}

// parse reads the line of a row, without its line break, and refuses all that
// Append would not have written.
func (p *Plan) parse(line []byte, f Format) (*Row, error) {
	values, err := p.values(line, f)
	if err != nil {
		return nil, err
	}
	r, err := p.rowOf(values)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(p.Append(nil, f, r), append(bytes.Clone(line), '\n')) {
		return nil, fmt.Errorf("it is not as pipesim writes it")
	}
	return r, nil
}

// values are the texts of a line's columns.
func (p *Plan) values(line []byte, f Format) ([]string, error) {
	if f == CSV {
		r := csv.NewReader(bytes.NewReader(line))
		r.FieldsPerRecord = len(p.columns)
		values, err := r.Read()
		for i := range values {
			values[i] = sheet.Told(values[i])
		}
		return values, err
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		return nil, err
	}
	values := make([]string, len(p.columns))
	for i := range p.columns {
		switch v := object[p.columns[i].name].(type) {
		case nil:
		case string:
			values[i] = v
		case json.Number:
			values[i] = v.String()
		case bool:
			values[i] = strconv.FormatBool(v)
		default:
			return nil, fmt.Errorf("%s is not a value", p.columns[i].name)
		}
	}
	return values, nil
}
