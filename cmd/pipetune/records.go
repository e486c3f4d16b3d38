package main

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"

	"gpupipe/internal/sheet"
	"gpupipe/internal/tune"
)

// records are rows for programs: the rank, the parameters, what is predicted, and was measured if anything was.
func records(p *tune.Plan, rows []tune.Row, measured map[int64]float64) sheet.Records {
	var outcomes []tune.Outcome
	for i := range rows {
		outcomes = append(outcomes, rows[i].Outcome)
	}
	r := sheet.RecordsOf(outcomes)
	names := []string{"rank"}
	for i := range p.Space.Params {
		names = append(names, p.Space.Params[i].Name)
	}
	r.Names = append(names, r.Names...)
	for i := range r.Rows {
		head := []any{i + 1}
		if rows[i].Error != "" {
			head[0] = nil
		}
		for _, v := range rows[i].Values {
			head = append(head, v)
		}
		for k := range r.Rows[i] {
			name := r.Names[len(head)+k]
			noRange := rows[i].High == 0 && (name == "low" || name == "high")
			if noRange || rows[i].Error != "" && name != "error" {
				r.Rows[i][k] = nil
			}
		}
		r.Rows[i] = slices.Concat(head, r.Rows[i])
		if measured != nil {
			var seconds any // nil: not measured
			if t := measured[rows[i].Number]; t > 0 {
				seconds = t
			}
			r.Rows[i] = append(r.Rows[i], seconds)
		}
	}
	if measured != nil {
		r.Names = append(r.Names, "measured")
	}
	return r
}

// writeLines writes rows as JSON, one a line.
func writeLines(w io.Writer, p *tune.Plan, rows []tune.Row, measured map[int64]float64) error {
	r := records(p, rows, measured)
	b := bufio.NewWriter(w)
	for _, row := range r.Rows {
		b.WriteByte('{')
		for i, name := range r.Names {
			if i > 0 {
				b.WriteByte(',')
			}
			key, err := json.Marshal(name)
			if err != nil {
				return err
			}
			value, err := json.Marshal(row[i])
			if err != nil {
				return err
			}
			b.Write(key)
			b.WriteByte(':')
			b.Write(value)
		}
		b.WriteString("}\n")
	}
	return b.Flush()
}
