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

// table has the fastest rows. A parameter that is the same in all variants stands above; columns that are empty in all
// rows are left out.
func table(p *tune.Plan, rows, shown []tune.Row, measured map[int64]float64) sheet.Sheet {
	s := sheet.Section{}
	var columns []int
	names := []string{"#"}
	for i := range p.Space.Params {
		if one := p.Space.Params[i]; len(one.Values) == 1 {
			s.About = append(s.About, one.Name+" "+tune.Text(one.Values[0]))
			continue
		}
		columns, names = append(columns, i), append(names, p.Space.Params[i].Name)
	}
	s.Columns = sheet.ColumnsOf(append(names, "time", "range", "of best", "bound by<", "line", "warps", "limited by<",
		"registers", "spills", "measured")...)
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
		cells = append(cells, sheet.Duration(r.Seconds), rangeOf(r), fmt.Sprintf("%.2fx", r.Seconds/rows[0].Seconds),
			boundOf(p, r), orEmpty(int64(r.Line)), warps, r.Limit, orEmpty(r.Registers), orEmpty(r.Spills), "")
		if t := measured[r.Number]; t > 0 {
			cells[len(cells)-1] = sheet.Duration(t)
		}
		s.Add(cells...)
	}
	leaveOutEmpty(&s)
	below := sheet.Count(int64(len(rows)), "variant")
	if n := len(rows) - failed; n > len(shown) {
		below += fmt.Sprintf(", of which the fastest %d are listed (--top)", len(shown))
	}
	s.Below = append(s.Below, below)
	if slices.ContainsFunc(shown, func(r tune.Row) bool { return rangeOf(&r) != "" }) {
		s.Below = append(s.Below, "The range takes otherwise what is assumed: what is left in the caches, what L2 "+
			"keeps between groups, how load delays device memory, addresses that are not known.")
	}
	return append(sheet.Sheet{s}, reasons(p, rows, failed)...)
}

// leaveOutEmpty drops the columns of which no row has anything.
func leaveOutEmpty(s *sheet.Section) {
	for k := len(s.Columns) - 1; k >= 0; k-- {
		if slices.ContainsFunc(s.Rows, func(r sheet.Row) bool { return r.Cells[k] != "" }) {
			continue
		}
		s.Columns = slices.Delete(s.Columns, k, k+1)
		for i := range s.Rows {
			s.Rows[i].Cells = slices.Delete(s.Rows[i].Cells, k, k+1)
		}
	}
}

// importance says what each parameter decides.
func importance(p *tune.Plan, rows []tune.Row) sheet.Section {
	s := sheet.Section{Title: "what the parameters decide",
		Columns: sheet.ColumnsOf("parameter", "share", "fastest with", "cost of the worst value")}
	for _, i := range tune.Importances(p.Space, rows) {
		s.Add(i.Name, sheet.Percent(i.Share), tune.Text(i.Best), fmt.Sprintf("%.2fx", i.Cost))
	}
	s.Below = []string{"The share of the variance of all times (of their logarithms) that the parameter explains " +
		"alone, and how much slower than the fastest variant the fastest one with the worst value is."}
	return s
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

// rangeOf is what a time may be, nothing where it is not known or that is all the same.
func rangeOf(r *tune.Row) string {
	low, high := sheet.Duration(r.Low), sheet.Duration(r.High)
	if r.High == 0 || low == high {
		return ""
	}
	if number, unit, ok := strings.Cut(low, " "); ok && strings.HasSuffix(high, " "+unit) {
		low = number
	}
	return low + " to " + high
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
