package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gpupipe/internal/sheet"
	"gpupipe/internal/tune"
	"gpupipe/simulate"
)

// maxReasons is how many reasons why variants cannot run are listed; csv and jsonl have all.
const maxReasons = 10

// table has the fastest rows. A parameter that is the same in all variants stands above.
func table(p *tune.Plan, rows, shown []tune.Row, measured map[int64]float64) sheet.Sheet {
	s := sheet.Section{}
	var columns []int
	for i := range p.Space.Params {
		if one := p.Space.Params[i]; len(one.Values) == 1 {
			s.About = append(s.About, one.Name+" "+tune.Text(one.Values[0]))
			continue
		}
		columns = append(columns, i)
		s.Columns = append(s.Columns, sheet.Column{Name: p.Space.Params[i].Name, Right: true})
	}
	head := sheet.ColumnsOf("#", "time", "of best", "bound by<", "line", "warps", "limited by<", "registers", "spills")
	s.Columns = append(append(head[:1:1], s.Columns...), head[1:]...)
	if measured != nil {
		s.Columns = append(s.Columns, sheet.Column{Name: "measured", Right: true})
	}
	failed := 0
	for i := range rows {
		if rows[i].Error != "" {
			failed++
		}
	}
	for i := range shown {
		r := &shown[i]
		if r.Error != "" {
			break
		}
		cells := []string{fmt.Sprint(i + 1)}
		for _, k := range columns {
			cells = append(cells, tune.Text(r.Values[k]))
		}
		warps := fmt.Sprint(r.Warps)
		if r.MaxWarps > 0 {
			warps += fmt.Sprintf("/%d", r.MaxWarps)
		}
		cells = append(cells, sheet.Duration(r.Seconds), fmt.Sprintf("%.2fx", r.Seconds/rows[0].Seconds), boundOf(p, r),
			orEmpty(int64(r.Line)), warps, r.Limit, orEmpty(r.Registers), orEmpty(r.Spills))
		if t := measured[r.Number]; t > 0 {
			cells = append(cells, sheet.Duration(t))
		}
		s.Add(cells...)
	}
	below := sheet.Count(int64(len(rows)), "variant")
	if n := len(rows) - failed; n > len(shown) {
		below += fmt.Sprintf(", of which the fastest %d are listed (--top)", len(shown))
	}
	s.Below = append(s.Below, below)
	all := append(sheet.Sheet{s}, reasons(p, rows, failed)...)
	if measured != nil {
		all = append(all, trust(rows, measured))
	}
	return all
}

// trust says how well the order of the prediction agrees with measured times, beside other orders.
func trust(rows []tune.Row, measured map[int64]float64) sheet.Section {
	scores, n := tune.Scores(rows, measured)
	s := sheet.Section{Title: "how far to trust the order: " + sheet.Count(int64(n), "measured variant"),
		Columns: sheet.ColumnsOf("order by", "Spearman")}
	for _, t := range tune.Tops {
		s.Columns = append(s.Columns, sheet.Column{Name: t.Name, Right: true})
	}
	for _, one := range scores {
		cells := []string{one.Name, ""}
		if !math.IsNaN(one.Spearman) {
			cells[1] = fmt.Sprintf("%.3f", one.Spearman)
		}
		for _, b := range one.Best {
			cells = append(cells, fmt.Sprintf("%.1f%%", 100*b))
		}
		s.Add(cells...)
	}
	s.Below = []string{"The share of the optimum that the best of so many first ones reaches when they are measured."}
	return s
}

func boundOf(p *tune.Plan, r *tune.Row) string {
	if r.Bound == simulate.BoundThroughput {
		return p.Device(r).TitleOf(r.Subsystem)
	}
	return r.Bound
}

// orEmpty is a number, nothing for 0.
func orEmpty(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// reasons lists why variants cannot run, the most frequent reason first.
func reasons(p *tune.Plan, rows []tune.Row, failed int) sheet.Sheet {
	if failed == 0 {
		return nil
	}
	count, example := map[string]int{}, map[string]string{}
	var order []string
	for i := range rows {
		r := &rows[i]
		if r.Error == "" {
			continue
		}
		if count[r.Error]++; count[r.Error] == 1 {
			order, example[r.Error] = append(order, r.Error), p.Describe(r)
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return count[b] - count[a] })
	s := sheet.Section{Title: sheet.Count(int64(failed), "variant") + " cannot run"}
	for i, why := range order {
		if i == maxReasons {
			s.Notes = append(s.Notes, fmt.Sprintf("%d further reasons (--format csv lists all)", len(order)-i))
			break
		}
		s.Notes = append(s.Notes, fmt.Sprintf("%d: %s (%s)", count[why], strings.TrimSuffix(why, "."), example[why]))
	}
	return sheet.Sheet{s}
}
