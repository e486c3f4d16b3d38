package main

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gpupipe/simulate"
)

// writeReport writes the Markdown report.
func writeReport(w io.Writer, o *options, studies []*study) error {
	out := bufio.NewWriter(w)
	first := studies[0].predictor
	o.writeCommand(out, gpuFlag(o)+everyFlag(o), " --measured "+o.measured)
	fmt.Fprintf(out, "# Accuracy: %s\n\n", titleOf(studies))
	fmt.Fprintf(out, "%sNo number is fitted: a prediction depends on the source, the launch and the device file, "+
		"whose numbers have published sources or documented rules. The issue mode is %s.\n", o.whereSources(),
		issueText(first))
	for _, s := range studies {
		if err := s.write(out); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeCommand writes the report's first line, the command that makes it: the flags are those before
// and behind the folder of the sources.
func (o *options) writeCommand(w io.Writer, before, behind string) {
	fmt.Fprintf(w, "<!-- Generated: go run ./internal/evidence/evaluate%s --sources %s%s", before+issueFlag(o),
		o.sourcesText(), behind)
	if o.report != "" {
		fmt.Fprintf(w, " --report %s", o.report)
	}
	for _, f := range o.specs {
		fmt.Fprintf(w, " %s", f)
	}
	fmt.Fprint(w, " -->\n")
}

func everyFlag(o *options) string {
	if o.every == 1 {
		return ""
	}
	return " --every " + strconv.Itoa(o.every)
}

func issueFlag(o *options) string {
	if o.issue == "" {
		return ""
	}
	return " --issue " + o.issue
}

func gpuFlag(o *options) string {
	if o.gpu == "" {
		return ""
	}
	return " --gpu " + o.gpu
}

// sourcesText is the folder of the sources as a report names it: DIR for one that is not of
// this repository.
func (o *options) sourcesText() string {
	if filepath.IsLocal(o.sources) && o.sources != "." {
		return o.sources
	}
	return "DIR"
}

func (o *options) whereSources() string {
	if o.sourcesText() == "DIR" {
		return "DIR is the folder of the kernels' sources. "
	}
	return ""
}

// titleOf names what a report is about: kernels on one GPU, or one kernel on several.
func titleOf(studies []*study) string {
	first := studies[0].predictor
	for _, s := range studies {
		if s.predictor.device.Name != first.device.Name {
			return fmt.Sprintf("%s on %d GPUs", studies[0].spec.Kernel, len(studies))
		}
	}
	return "tuned kernels on " + first.device.Title
}

// issueText names the issue modes and who chose them.
func issueText(p *predictor) string {
	text := p.modes[0].name
	if text == ownMode.name {
		text += ", that of the device file as in pipesim"
	}
	if len(p.modes) > 1 {
		text += "; beside it stands " + modeNames(p.modes[1:])
	}
	return text
}

// write writes the part of one study.
func (s *study) write(w io.Writer) error {
	fmt.Fprintf(w, "\n## %s\n\n%s", s.spec.Title, s.spec.Kernel)
	if s.steps != nil {
		fmt.Fprint(w, "Kernels with one measured time each")
	}
	if s.spec.Origin != "" {
		fmt.Fprintf(w, " (%s)", s.spec.Origin)
	}
	fmt.Fprintf(w, ", %d configurations", len(s.outcomes))
	if s.every > 1 {
		fmt.Fprintf(w, ", one in %d of the table", s.every)
	}
	fmt.Fprintf(w, ".\n")
	if s.spec.Remark != "" {
		fmt.Fprintf(w, "%s\n", strings.TrimSpace(s.spec.Remark))
	}
	if s.spec.Precision > 0 {
		fmt.Fprintf(w, "Launches are simulated as a whole, or until their throughput is known to %g%%.\n",
			100*s.spec.Precision)
	} else {
		fmt.Fprintf(w, "Launches of more than %d million warp instructions on a compute unit are extrapolated, as by "+
			"pipesim.\n", simulate.DefaultBudget/1_000_000)
	}
	at := s.clock(s.predictor.device)
	fmt.Fprintf(w, "Predicted for a core clock of %g MHz (%s).\n", at.MHz, at.Source)
	s.writeRefused(w)
	fmt.Fprintf(w, "\n| model | Spearman | Kendall | MAPE of time %% | MAPE_shape of time %% |")
	for _, t := range tops {
		fmt.Fprintf(w, " %s |", t.name)
	}
	fmt.Fprintf(w, "\n|---|---|---|---|---|---|---|---|---|\n")
	scores := s.scores()
	for _, c := range scores {
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |", c.model, cell("%.3f", c.spearman), cell("%.3f", c.kendall),
			cell("%.1f", c.mape), cell("%.1f", c.shape))
		for _, b := range c.best {
			fmt.Fprintf(w, " %s |", cell("%.1f%%", b))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\nThe last columns: the share of the true optimum that the best of the predicted fastest "+
		"reaches; for random choice, on average.\n")
	s.writeTargets(w, scores[:len(s.predictor.modes)])
	s.writeClocks(w, s.predictor.device)
	s.writeSteps(w)
	s.writeRatios(w)
	s.writeCounters(w)
	s.writeTwins(w)
	s.writeResiduals(w)
	s.writeApart(w)
	s.writeAssumed(w)
	if s.spec.Analysis != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(s.spec.Analysis))
	}
	return nil
}

// writeTargets says which targets the first issue mode reaches, and what all reach.
func (s *study) writeTargets(w io.Writer, modes []score) {
	t := &s.spec.Targets
	var list []string
	add := func(text string, reached func(*score) bool, value func(*score) string) {
		verdict := "**missed**"
		if reached(&modes[0]) {
			verdict = "reached"
		}
		values := []string{value(&modes[0])}
		for i := range modes[1:] {
			values = append(values, s.predictor.modes[i+1].name+" "+value(&modes[i+1]))
		}
		list = append(list, fmt.Sprintf("%s: %s (%s)", text, verdict, strings.Join(values, ", ")))
	}
	if t.Spearman > 0 {
		add(fmt.Sprintf("Spearman at least %.2f", t.Spearman), func(c *score) bool {
			return c.spearman >= t.Spearman
		}, func(c *score) string { return cell("%.3f", c.spearman) })
	}
	if t.MAPEOfTime > 0 {
		add(fmt.Sprintf("MAPE of time at most %g%%", t.MAPEOfTime), func(c *score) bool {
			return c.mape <= t.MAPEOfTime
		}, func(c *score) string { return cell("%.1f%%", c.mape) })
	}
	if t.Top1 > 0 {
		add(fmt.Sprintf("best of the top 1%% at least %g%% of the optimum", t.Top1), func(c *score) bool {
			return c.best[2] >= t.Top1
		}, func(c *score) string { return cell("%.1f%%", c.best[2]) })
	}
	if len(list) > 0 {
		fmt.Fprintf(w, "\nTargets: %s.\n", strings.Join(list, "; "))
	}
}

// writeResiduals says for each value of each parameter, and for what limits, how
// measured and predicted times compare.
func (s *study) writeResiduals(w io.Writer) {
	fmt.Fprintf(w, "\nMeasured / predicted with %s, median (number of configurations):\n\n", s.predictor.modes[0].name)
	group := func(name string, key func(i int) string) {
		byKey := map[string][]float64{}
		for i := range s.table.rows {
			k := key(i)
			byKey[k] = append(byKey[k], s.table.rows[i].seconds/s.predictions[i].seconds[0])
		}
		keys := make([]string, 0, len(byKey))
		for k := range byKey {
			keys = append(keys, k)
		}
		slices.SortFunc(keys, compareValues)
		fmt.Fprintf(w, "- %s:", name)
		for i, k := range keys {
			v := byKey[k]
			slices.Sort(v)
			sep := ","
			if i == 0 {
				sep = ""
			}
			fmt.Fprintf(w, "%s %s %.2f (%d)", sep, k, quantile(v, .5), len(v))
		}
		fmt.Fprintln(w)
	}
	for p, name := range s.table.params {
		group(name, func(i int) string { return s.table.rows[i].values[p] })
	}
	result := func(i int) *simulate.Result { return s.predictions[i].result }
	group("limit of occupancy", func(i int) string { return result(i).OccupancyLimit })
	group("busiest subsystem", func(i int) string { return result(i).LowerBounds.Subsystem })
	group("resident warps", func(i int) string { return strconv.Itoa(int(s.predictions[i].warps)/16*16) + "+" })
}

// compareValues orders numbers by value, other texts by spelling.
func compareValues(a, b string) int {
	x, errX := strconv.ParseFloat(strings.TrimSuffix(a, "+"), 64)
	y, errY := strconv.ParseFloat(strings.TrimSuffix(b, "+"), 64)
	switch {
	case errX != nil || errY != nil:
		return strings.Compare(a, b)
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// quantile is the value below which a share q of sorted values lies.
func quantile(sorted []float64, q float64) float64 {
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}
