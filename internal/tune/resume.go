package tune

import (
	"bytes"
	"encoding/json"

	"gpupipe/internal/diag"
)

// line is a row in a file: what is predicted, of which variant, and a digest of all that this depends on.
type line struct {
	Variant int64  `json:"variant"`
	Key     string `json:"key"`
	Outcome
}

// AppendLine appends a row as a line of a file that Resume reads.
func AppendLine(b []byte, r *Row) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(line{r.Number, r.Key, r.Outcome})
	return append(b, text.Bytes()...), err
}

// Resume reads the rows that earlier runs of a plan have written, those of other shards among them. A last line without
// its end is left out. A row of another plan is an error.
func (p *Plan) Resume(file string, text []byte) (map[int64]Row, error) {
	index := map[int64]int{}
	for i := range p.Variants {
		index[p.Variants[i].Number] = i
	}
	rows := map[int64]Row{}
	for number := 1; ; number++ {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			return rows, nil
		}
		bad := func(format string, args ...any) error {
			return diag.Errorf(diag.Pos{File: file, Line: number}, "RESUME", format, args...).
				WithNote("only a file that the same command has begun can be continued; name another one, or " +
					"remove this")
		}
		var l line
		d := json.NewDecoder(bytes.NewReader(text[:end]))
		d.DisallowUnknownFields()
		if err := d.Decode(&l); err != nil || l.Key == "" {
			return nil, bad("the line is not a row of pipetune")
		}
		text = text[end+1:]
		i, ok := index[l.Variant]
		switch {
		case !ok:
			return nil, bad("variant %d is none of this space, or of another shard", l.Variant)
		case p.jobs[i].key != l.Key:
			return nil, bad("the source, the parameters, the device or a flag has changed since this row was written")
		}
		if before, ok := rows[l.Variant]; !ok || before.AtLeast {
			rows[l.Variant] = Row{Number: l.Variant, Key: l.Key, Values: p.Space.values(&p.Variants[i]),
				Outcome: l.Outcome}
		}
	}
}
