package main

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gpupipe/simulate/analytic"
	"gpupipe/simulate/comparison"
)

// writeReport writes the study as Markdown.
func (m *modelStudy) writeReport(w io.Writer, o *options) error {
	out := bufio.NewWriter(w)
	o.writeCommand(out, "", "")
	fmt.Fprintf(out, "# Accuracy of the models: %s\n\n", m.spec.Title)
	compared, points := 0, 0
	for i := range m.cells {
		for k := range m.cells[i] {
			c := &m.cells[i][k]
			points += c.points()
			if c.err == nil {
				compared++
			}
		}
	}
	fmt.Fprintf(out, "%sAnalytical models against the simulation, which is the Pipeline model: %d kernels",
		o.whereSources(), len(m.cells))
	if m.spec.Origin != "" {
		fmt.Fprintf(out, " (%s)", m.spec.Origin)
	}
	fmt.Fprintf(out, " on %d GPUs, each at every occupancy from one group of a compute unit to as many as it holds: "+
		"%d of %d pairs, %d occupancies. All get the same graph, λ and Λ, so that the difference is the model's own. "+
		"No time is measured here.\n", len(m.devices), compared, len(m.cells)*len(m.devices), points)
	fmt.Fprint(out, "\nNumbers are MAPE / MAPE_shape of the performance (warps per cycle) over a kernel's "+
		"occupancies, in percent: the mean of |model - simulation| / simulation, and the same after the best linear "+
		"fit of the differences is subtracted (A 6.3).\n")
	if m.spec.Remark != "" {
		fmt.Fprintf(out, "\n%s\n", strings.TrimSpace(m.spec.Remark))
	}
	for k := range m.devices {
		m.writeDevice(out, k)
	}
	for i := range m.spec.Series {
		m.writeKernel(out, i)
	}
	m.writeInvalid(out)
	all := &study{}
	for i := range m.cells {
		for k := range m.cells[i] {
			all.outcomes = append(all.outcomes, m.cells[i][k].outcome)
		}
	}
	fmt.Fprintf(out, "\n## What the comparison rests on\n")
	all.writeAssumed(out)
	if m.spec.Analysis != "" {
		fmt.Fprintf(out, "\n## What the numbers say\n\n%s\n", strings.TrimSpace(m.spec.Analysis))
	}
	return out.Flush()
}

// writeInvalid says why models give no number, with the number of occupancies.
func (m *modelStudy) writeInvalid(w io.Writer) {
	var why tally
	for i := range m.cells {
		for k := range m.cells[i] {
			c := &m.cells[i][k]
			for p := range c.points() {
				for n, e := range c.Points[p].Estimates {
					if e.Invalid != "" {
						why.add(i, c.Models[n].Title, e.Invalid)
					}
				}
			}
		}
	}
	if len(why.entries) == 0 {
		return
	}
	fmt.Fprintf(w, "\n## Where a model gives no number\n\nWhy (number of occupancies):\n\n")
	for _, e := range why.most() {
		fmt.Fprintf(w, "- %v (%d)\n", e, e.count)
	}
}

// points is how many occupancies are compared.
func (c *modelCell) points() int {
	if c.err != nil {
		return 0
	}
	return len(c.Points)
}

// writeDevice writes the averages over the kernels on a device, beside those that a source prints.
func (m *modelStudy) writeDevice(w io.Writer, k int) {
	fmt.Fprintf(w, "\n## %s\n\n| model | mean over the kernels | kernels | occupancies |", m.devices[k].Title)
	var printed *PublishedSpec
	for i := range m.spec.Models.Published {
		if p := &m.spec.Models.Published[i]; p.GPU == m.spec.Models.GPUs[k] {
			printed = p
			fmt.Fprintf(w, " %s |", p.Head)
		}
	}
	columns := 4
	if printed != nil {
		columns++
	}
	fmt.Fprintf(w, "\n%s\n", rule(columns))
	source := func(name string) {
		if printed == nil {
			fmt.Fprintln(w)
			return
		}
		text, ok := printed.Averages[name]
		if !ok {
			text = "-"
		}
		fmt.Fprintf(w, " %s |\n", text)
	}
	kernels, points := 0, 0
	for i := range m.cells {
		if c := &m.cells[i][k]; c.err == nil {
			kernels++
			points += c.points()
		}
	}
	fmt.Fprintf(w, "| **simulation** | what the models are compared with | %d | %d |", kernels, points)
	source(simulationName)
	for i, model := range analytic.Models() {
		mean, kernels := m.mean(i, k)
		fmt.Fprintf(w, "| %s | %s | %d | %d |", model.About().Title, errorText(mean), kernels, mean.Points)
		source(model.About().Name)
	}
}

// mean is a model's over the kernels of which it says something on a device, and their number;
// its points are all of these kernels'.
func (m *modelStudy) mean(model, device int) (comparison.Accuracy, int) {
	var sum comparison.Accuracy
	kernels, shapes := 0, 0
	for i := range m.cells {
		c := &m.cells[i][device]
		if c.err != nil {
			continue
		}
		a := &c.accuracy[model]
		if a.MAPE >= 0 {
			sum.MAPE += a.MAPE
			sum.Points += a.Points
			kernels++
		}
		if a.MAPEShape >= 0 {
			sum.MAPEShape += a.MAPEShape
			shapes++
		}
	}
	over := func(sum float64, n int) float64 {
		if n == 0 {
			return -1
		}
		return sum / float64(n)
	}
	sum.MAPE, sum.MAPEShape = over(sum.MAPE, kernels), over(sum.MAPEShape, shapes)
	return sum, kernels
}

// writeKernel writes a kernel's table: every model on every device.
func (m *modelStudy) writeKernel(w io.Writer, i int) {
	step := &m.spec.Series[i]
	fmt.Fprintf(w, "\n## %s\n\n%s of %s, %s groups of %s.\n\n| |", step.Name, step.Kernel, step.Source,
		strings.Join(step.Groups, " x "), strings.Join(step.Local, " x "))
	for _, d := range m.devices {
		fmt.Fprintf(w, " %s |", d.Title)
	}
	fmt.Fprintf(w, "\n%s\n", rule(1+len(m.devices)))
	line := func(name string, text func(c *modelCell) string) {
		fmt.Fprintf(w, "| %s |", name)
		for k := range m.devices {
			if c := &m.cells[i][k]; c.err == nil {
				fmt.Fprintf(w, " %s |", text(c))
			} else {
				fmt.Fprint(w, " - |")
			}
		}
		fmt.Fprintln(w)
	}
	line("warps (occupancies)", func(c *modelCell) string {
		warps := c.Warps()
		return fmt.Sprintf("%d to %d (%d)", warps[0], warps[len(warps)-1], len(warps))
	})
	line("limited by", func(c *modelCell) string { return c.Capacity.Limit })
	line("simulation: kilocycles of a warp, lowest and highest occupancy", func(c *modelCell) string {
		kilocycles := func(p *comparison.Point) float64 { return float64(p.Warps) / p.Simulated.WarpsPerCycle / 1000 }
		return fmt.Sprintf("%.3g, %.3g", kilocycles(&c.Points[0]), kilocycles(&c.Points[len(c.Points)-1]))
	})
	for n, model := range analytic.Models() {
		line(model.About().Title, func(c *modelCell) string {
			text := errorText(c.accuracy[n])
			if points := c.accuracy[n].Points; points > 0 && points < len(c.Points) {
				text += fmt.Sprintf(" (%d)", points)
			}
			return text
		})
	}
	for k, d := range m.devices {
		if err := m.cells[i][k].err; err != nil {
			fmt.Fprintf(w, "\nRefused for %s: %s\n", d.Title, reason(err))
		}
	}
}

// rule is the line below the head of a table.
func rule(columns int) string { return "|" + strings.Repeat("---|", columns) }

// errorText prints an accuracy; what is not known is a dash.
func errorText(a comparison.Accuracy) string {
	number := func(x float64) string {
		if x < 0 {
			return "-"
		}
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return number(a.MAPE) + " / " + number(a.MAPEShape)
}

// writeRows writes a line for every kernel, device, occupancy and model, the simulation first.
func (m *modelStudy) writeRows(w io.Writer) error {
	out := csv.NewWriter(w)
	lines := [][]string{{"kernel", "gpu", "warps", "model", "warps_per_cycle", "refused"}}
	for i := range m.cells {
		for k := range m.cells[i] {
			c, kernel, gpu := &m.cells[i][k], m.spec.Series[i].Name, m.devices[k].Name
			if c.err != nil {
				lines = append(lines, []string{kernel, gpu, "", "", "", reason(c.err)})
				continue
			}
			for _, p := range c.Points {
				warps := strconv.FormatInt(p.Warps, 10)
				add := func(model string, rate float64, why string) {
					lines = append(lines,
						[]string{kernel, gpu, warps, model, strconv.FormatFloat(rate, 'g', 6, 64), why})
				}
				add(simulationName, p.Simulated.WarpsPerCycle, "")
				for n := range c.Models {
					add(c.Models[n].Name, p.Estimates[n].WarpsPerCycle, p.Estimates[n].Invalid)
				}
			}
		}
	}
	return out.WriteAll(lines)
}
