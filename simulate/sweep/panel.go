package sweep

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Panel is the rows of one graph on one device as curves: the speed-up over the first of them.
type Panel struct {
	Title  string  // "mmul.json on gtx1060"
	X      string  // name of the horizontal axis
	First  float64 // seconds of the first row, whose speed-up is 1
	Series []Series
}

// Series is one curve: rows that differ in X only.
type Series struct {
	Name   string // the values of what else is varied, empty if nothing is
	Points []Point
}

// Point is one row.
type Point struct {
	X    float64
	Y    float64 // speed-up
	Roof float64 // the most that subsystems, issue limit and dependences allow
}

// axisWarps is the horizontal axis if occupancy is varied.
const axisWarps = "resident warps"

// Panels sorts rows into curves. Rows with errors are left out. The horizontal
// axis is the occupancy if that is varied, or else the innermost parameter that
// has several numbers.
func (p *Plan) Panels(rows []*Row) []Panel {
	x, several := p.horizontal()
	var panels []Panel
	at := map[string]int{}
	for _, r := range rows {
		if r.Error != "" {
			continue
		}
		title := r.Values[0] + " on " + r.Values[1]
		i, ok := at[title]
		if !ok {
			i = len(panels)
			at[title] = i
			panels = append(panels, Panel{Title: title, X: axisWarps, First: r.Seconds})
			if x >= 0 {
				panels[i].X = p.axes[x].name
			}
		}
		point := Point{X: float64(r.Warps), Y: panels[i].First / r.Seconds}
		point.Roof = point.Y * min(r.ThroughputRoof, r.LatencyRoof) / r.WarpsPerCycle
		if x >= 0 {
			point.X = number(r.Values[x])
		}
		panels[i].add(seriesName(p, r, several), point)
	}
	for i := range panels {
		for _, s := range panels[i].Series {
			slices.SortStableFunc(s.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
		}
	}
	return panels
}

// add appends a point to the series of a name.
func (p *Panel) add(name string, point Point) {
	// Rows of a series follow each other or come back in turns; there are few.
	i := slices.IndexFunc(p.Series, func(s Series) bool { return s.Name == name })
	if i < 0 {
		i = len(p.Series)
		p.Series = append(p.Series, Series{Name: name})
	}
	p.Series[i].Points = append(p.Series[i].Points, point)
}

// horizontal chooses the axis to draw against, -1 for the occupancy, and lists the
// others that tell curves apart.
func (p *Plan) horizontal() (x int, several []int) {
	x = -1
	occupancy := p.space.Occupancies != ListedOccupancies || len(p.space.Concurrent) > 1
	for i := 2; i < len(p.axes); i++ {
		if a := &p.axes[i]; !occupancy && a.numbers && a.count > 1 {
			x = i
		}
	}
	for i := 2; i < len(p.axes); i++ {
		if a := &p.axes[i]; i != x && a.count > 1 && !(occupancy && a.name == axisConcurrent) {
			several = append(several, i)
		}
	}
	return x, several
}

func seriesName(p *Plan, r *Row, several []int) string {
	var parts []string
	for _, i := range several {
		parts = append(parts, p.axes[i].name+"="+r.Values[i])
	}
	return strings.Join(parts, " ")
}

// number is the value of a parameter's text: a decimal or a fraction.
func number(text string) float64 {
	a, b, fraction := strings.Cut(text, "/")
	x, _ := strconv.ParseFloat(a, 64) // 0 for "max", which is drawn at the left
	if fraction {
		y, _ := strconv.ParseFloat(b, 64)
		x /= y
	}
	return x
}
