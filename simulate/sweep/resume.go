package sweep

import (
	"bytes"
	"fmt"
	"strings"

	"gpupipe/internal/diag"
)

// firstField is what a row begins with in JSONLines, where no header tells a
// torn file from one that is something else.
const firstField = `{"row":`

// Resume reads the rows that an earlier run of the same plan has written to a
// file. It returns them and how many bytes to keep: a last line without its
// line break was torn and is dropped, and so is a torn header. A row of another
// sweep, or of a graph, a device or settings that have changed since, is an
// error.
func (p *Plan) Resume(file string, text []byte, f Format) (rows []*Row, keep int, err error) {
	bad := func(line int, format string, args ...any) error {
		return diag.Errorf(diag.Pos{File: file, Line: line}, "RESUME", format, args...).
			WithNote("only a file that the same sweep has begun can be continued; name another one, or remove this")
	}
	header := p.AppendHeader(nil, f)
	if len(text) < len(header) && bytes.HasPrefix(header, text) {
		return nil, 0, nil
	}
	if !bytes.HasPrefix(text, header) {
		return nil, 0, bad(1, "the columns are not those of this sweep: %s", strings.Join(p.Columns(), ","))
	}
	line := bytes.Count(header, []byte{'\n'})
	for keep = len(header); ; line++ {
		end := bytes.IndexByte(text[keep:], '\n')
		if end < 0 {
			break
		}
		if len(rows) == p.Len() {
			return nil, 0, bad(line+1, "there are more than the %d rows of this sweep", p.Len())
		}
		r, err := p.parse(text[keep:keep+end], f)
		if err != nil {
			return nil, 0, bad(line+1, "the line is not a row of this sweep: %v", err)
		}
		want := p.Configuration(len(rows))
		if why := p.difference(&r.Configuration, &want); why != "" {
			return nil, 0, bad(line+1, "%s", why)
		}
		r.Configuration = want
		rows = append(rows, r)
		keep += end + 1
	}
	if rest, start := text[keep:], []byte(firstField); f == JSONLines && !bytes.HasPrefix(rest, start) &&
		!bytes.HasPrefix(start, rest) {
		return nil, 0, bad(line+1, "the line is not a row of this sweep")
	}
	return rows, keep, nil
}

// difference says in what a row is of another configuration, empty if it is
// not.
func (p *Plan) difference(got, want *Configuration) string {
	if got.Number != want.Number {
		return fmt.Sprintf("this is row %d where this sweep has row %d; is it of another shard?", got.Number,
			want.Number)
	}
	for i, name := range p.Parameters() {
		if got.Values[i] != want.Values[i] {
			return fmt.Sprintf("%s is %s where this sweep has %s", name, got.Values[i], want.Values[i])
		}
	}
	if got.Key != want.Key {
		return "the graph, the device or a setting has changed since this row was written"
	}
	return ""
}
