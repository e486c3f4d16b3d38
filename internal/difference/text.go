package difference

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gpupipe/internal/report"
	"gpupipe/internal/sheet"
	"gpupipe/simulate/cause"
)

const (
	mostChanges = 8     // causes and lines in a report
	leastChange = 0.005 // of the old time, from which on a cause, a line or a kernel is told
	leastPeak   = 0.01  // of a peak, from which on it is told
)

// Sheet is what changed, for people: all kernels in one table where there are several, then each that changed. The
// names of the two versions stand above their columns.
func (d *Document) Sheet(old, new string) sheet.Sheet {
	var s sheet.Sheet
	if d.unchanged() {
		s = append(s, sheet.Section{Text: []string{fmt.Sprintf("nothing changed: no time of %s by %.3g%% or more",
			sheet.Count(int64(len(d.Kernels)), "kernel"), 100*leastChange)}})
	}
	if n := len(d.Kernels) + len(d.Removed) + len(d.Allowed) + len(d.Added); n != 1 {
		all := sheet.Section{Title: sheet.Count(int64(len(d.Kernels)), "kernel") + " in both versions",
			Columns: sheet.ColumnsOf("kernel", old, new, "change")}
		for _, k := range d.Kernels {
			all.Add(k.Kernel, sheet.Duration(k.Old.Seconds), sheet.Duration(k.New.Seconds), SignedPercent(k.Change))
		}
		for _, missing := range []struct {
			where string
			names []string
		}{{"only in the old version", append(slices.Clone(d.Removed), d.Allowed...)},
			{"only in the new version", d.Added}} {
			if len(missing.names) > 0 {
				all.Text = append(all.Text, missing.where+": "+strings.Join(missing.names, ", "))
			}
		}
		s = append(s, all)
	}
	for i := range d.Kernels {
		if k := &d.Kernels[i]; len(d.Kernels) == 1 || math.Abs(k.Change) >= leastChange {
			s = append(s, k.sheet(old, new)...)
		}
	}
	return s
}

// unchanged reports whether both versions take as long.
func (d *Document) unchanged() bool {
	return len(d.Kernels) > 0 && len(d.Removed)+len(d.Allowed)+len(d.Added) == 0 &&
		!slices.ContainsFunc(d.Kernels, func(k Kernel) bool { return math.Abs(k.Change) >= leastChange })
}

func (k *Kernel) sheet(old, new string) sheet.Sheet {
	title := k.Kernel
	if k.Old.Kernel != k.New.Kernel {
		title = k.Old.Kernel + " -> " + k.New.Kernel
	}
	title += " on " + k.Old.Device
	if k.Old.Device != k.New.Device {
		title += " -> " + k.New.Device
	}
	facts := sheet.Section{Title: title, Columns: sheet.ColumnsOf("", old, new, "change")}
	facts.Add("time", sheet.Duration(k.Old.Seconds), sheet.Duration(k.New.Seconds), SignedPercent(k.Change))
	facts.Add("bound by", k.Old.boundText(), k.New.boundText(), "")
	for _, p := range k.Roof {
		if max(p.Old, p.New) >= leastPeak {
			facts.Add("peak of "+p.Name, sheet.Percent(p.Old), sheet.Percent(p.New), "")
		}
	}
	causes := sheet.Section{Columns: sheet.ColumnsOf("breakdown", old, new, "change")}
	for _, c := range k.largest(k.Causes, "other causes") {
		causes.Add(append([]string{c.causeText()}, c.times()...)...)
	}
	lines := sheet.Section{Columns: sheet.ColumnsOf("line", old, new, "change", "source<")}
	lines.Columns[0].Right = true
	for _, l := range k.largest(k.Lines, "other lines") {
		lines.Add(append(append([]string{l.place()}, l.times()...), l.lineText())...)
	}
	s := sheet.Sheet{facts}
	for _, table := range []sheet.Section{causes, lines} {
		if len(table.Rows) > 0 {
			s = append(s, table)
		}
	}
	return s
}

func (v *Version) boundText() string {
	if v.subsystem != "" && v.Bound == "throughput" {
		return v.subsystem
	}
	return v.Bound
}

// largest are the largest changes, and the sum of all others.
func (k *Kernel) largest(all []Change, others string) []Change {
	n := 0
	for n < min(len(all), mostChanges) && math.Abs(all[n].change()) >= leastChange*k.Old.Seconds {
		n++
	}
	shown := all[:n:n]
	if n < len(all) {
		rest := Change{Code: others}
		for _, c := range all[n:] {
			rest.Old += c.Old
			rest.New += c.New
		}
		shown = append(shown, rest)
	}
	return shown
}

func (c *Change) times() []string {
	text := []string{sheet.Duration(c.Old), sheet.Duration(c.New), signedDuration(c.change())}
	for i, seconds := range []float64{c.Old, c.New} {
		if seconds == 0 {
			text[i] = "-"
		}
	}
	return text
}

func (c *Change) causeText() string {
	for _, k := range cause.Kinds() {
		if k.String() == c.Code {
			return report.CauseText(k, c.Subsystem)
		}
	}
	return c.Code
}

// place is the number of a line: with "-" in the old version alone, with "+" in the new one alone.
func (c *Change) place() string {
	switch {
	case c.OldLine == 0 && c.NewLine == 0:
		return ""
	case c.NewLine == 0:
		return fmt.Sprintf("-%d", c.OldLine)
	case c.OldLine == 0:
		return fmt.Sprintf("+%d", c.NewLine)
	case c.OldLine != c.NewLine:
		return fmt.Sprintf("%d->%d", c.OldLine, c.NewLine)
	}
	return fmt.Sprint(c.NewLine)
}

func (c *Change) lineText() string {
	switch {
	case c.Code != "":
		return c.Code
	case c.OldLine == 0 && c.NewLine == 0:
		return "no source line (launch, start and end)"
	case c.Text == "":
		return c.File
	}
	return c.Text
}

// signedDuration is a change of a time.
func signedDuration(seconds float64) string {
	switch {
	case seconds > 0:
		return "+" + sheet.Duration(seconds)
	case seconds < 0:
		return "-" + sheet.Duration(-seconds)
	}
	return "0"
}

// SignedPercent is a change in percent with a decimal.
func SignedPercent(share float64) string {
	if text := fmt.Sprintf("%+.1f%%", 100*share); text != "+0.0%" && text != "-0.0%" {
		return text
	}
	return "0%"
}
