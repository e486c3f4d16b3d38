package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"gpupipe/internal/sheet"
	"gpupipe/simulate/sweep"
)

// Size of a chart and of what stands beside it, in characters.
const (
	chartRows     = 15 // odd: the middle one has a label
	chartLabel    = 9  // columns of the vertical axis
	chartMinWidth = 20
)

// chartMarks draw the points of a panel's series; more series than marks are
// not drawn.
var chartMarks = []rune("●○■□▲△◆◇★☆abcdefghijklmnop")

// chartRoof draws what bounds a series.
const chartRoof = '·'

// writeChart draws panels with characters: the speed-up against occupancy, below
// the roof that subsystems, issue limit and dependences make.
func writeChart(w io.Writer, panels []sweep.Panel, rows []*sweep.Row, l sheet.Layout) error {
	out := bufio.NewWriter(w)
	for i := range panels {
		if i > 0 {
			fmt.Fprintln(out)
		}
		drawPanel(out, &panels[i], l)
	}
	if len(panels) == 0 {
		fmt.Fprintln(out, "There is nothing to draw: no configuration could be simulated.")
	}
	notes := sheet.Sheet{{Text: extrapolations(rows)}}
	if err := notes.WriteText(out, l); err != nil {
		return err
	}
	return out.Flush()
}

// canvas is a grid of characters over a range of values.
type canvas struct {
	cells      [][]rune
	x0, x1, y1 float64 // the vertical axis begins at 0
}

func newCanvas(p *sweep.Panel, width int) *canvas {
	c := &canvas{x0: math.Inf(1), x1: math.Inf(-1)}
	for _, s := range p.Series {
		for _, v := range s.Points {
			c.x0, c.x1 = min(c.x0, v.X), max(c.x1, v.X)
			c.y1 = max(c.y1, v.Y, v.Roof)
		}
	}
	if c.x0 == c.x1 {
		c.x0, c.x1 = c.x0-1, c.x1+1
	}
	for range chartRows {
		c.cells = append(c.cells, []rune(strings.Repeat(" ", width)))
	}
	return c
}

func (c *canvas) column(x float64) int {
	return int(math.Round((x - c.x0) / (c.x1 - c.x0) * float64(len(c.cells[0])-1)))
}

// set draws a mark at a column and a height.
func (c *canvas) set(column int, y float64, mark rune) {
	row := chartRows - 1 - int(math.Round(y/c.y1*(chartRows-1)))
	c.cells[min(max(row, 0), chartRows-1)][column] = mark
}

// roof draws the roof of a series as straight lines between its points.
func (c *canvas) roof(points []sweep.Point) {
	for i := range points {
		a := points[max(i-1, 0)]
		b := points[i]
		from, to := c.column(a.X), c.column(b.X)
		for k := from; k <= to; k++ {
			t := 1.0
			if to > from {
				t = float64(k-from) / float64(to-from)
			}
			c.set(k, a.Roof+t*(b.Roof-a.Roof), chartRoof)
		}
	}
}

func drawPanel(out io.Writer, p *sweep.Panel, l sheet.Layout) {
	c := newCanvas(p, max(l.Width-chartLabel-2, chartMinWidth))
	drawn := p.Series[:min(len(p.Series), len(chartMarks))]
	for i := range drawn {
		c.roof(drawn[i].Points)
	}
	for i := range drawn {
		for _, v := range drawn[i].Points {
			c.set(c.column(v.X), v.Y, chartMarks[i])
		}
	}
	fmt.Fprintf(out, "%s\n%s\n", l.Style.Bold(p.Title), l.Style.Dim(speedUp(p)))
	for i, row := range c.cells {
		label := ""
		if i%((chartRows-1)/2) == 0 {
			label = sheet.Significant(c.y1 * float64(chartRows-1-i) / (chartRows - 1))
		}
		fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf("%*s │%s", chartLabel, label, string(row)), " "))
	}
	width := len(c.cells[0])
	fmt.Fprintf(out, "%*s └%s\n", chartLabel, "", strings.Repeat("─", width))
	low, high := axisNumber(c.x0), axisNumber(c.x1)
	title := sheet.Clip(p.X, max(width-len(low)-len(high)-4, 0))
	gap := width - len(low) - len(high) - len([]rune(title))
	fmt.Fprintf(out, "%*s  %s%s%s%s%s\n", chartLabel, "", low, strings.Repeat(" ", max(1, gap/2)), title,
		strings.Repeat(" ", max(1, gap-gap/2)), high)
	for i := range drawn {
		fmt.Fprintf(out, "%*s  %c %s\n", chartLabel, "", chartMarks[i], sheet.Clip(curveName(&drawn[i]), width-2))
	}
	fmt.Fprintf(out, "%*s  %c what pipelines, issue limit and latency allow\n", chartLabel, "", chartRoof)
	if rest := len(p.Series) - len(drawn); rest > 0 {
		fmt.Fprintf(out, "%*s  and %s that are not drawn\n", chartLabel, "", sheet.Count(int64(rest), "curve"))
	}
}

// speedUp is the label of the vertical axis.
func speedUp(p *sweep.Panel) string {
	return "speed-up over " + sheet.Duration(p.First) + ", the first"
}

// curveName is what a legend says of a series.
func curveName(s *sweep.Series) string {
	if s.Name == "" {
		return "simulated"
	}
	return s.Name
}

// axisNumber prints a number at the end of an axis.
func axisNumber(x float64) string { return fmt.Sprintf("%.4g", x) }
