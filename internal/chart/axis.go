package chart

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// Axis is a direction of a chart.
type Axis struct {
	Label string
	// Unit is one that takes a prefix of the SI: "s", "FLOP/s", "warps/cycle"; empty if the
	// label says the unit.
	Unit string
	Log  bool // needs values > 0
	// Min and Max are the range. Both 0: that of the values, from 0 on unless the axis is
	// logarithmic.
	Min, Max float64
}

// prefix is one of the SI.
type prefix struct {
	name  string
	power int // of 1000
}

var prefixes = [...]prefix{
	{"f", -5}, {"p", -4}, {"n", -3}, {"µ", -2}, {"m", -1}, {"", 0},
	{"k", 1}, {"M", 2}, {"G", 3}, {"T", 4}, {"P", 5}, {"E", 6},
}

func (p prefix) scale() float64 { return math.Pow(1000, float64(p.power)) }

// prefixFor is the prefix with which a number is one of at most four digits before the point; numbers
// from 0.01 on need none.
func prefixFor(x float64) prefix {
	best := prefixes[0]
	for _, p := range prefixes {
		if x >= p.scale() || p.power == 0 && x >= 0.01 || x == 0 && p.power == 0 {
			best = p
		}
	}
	if best.power == 1 && x < 10*best.scale() {
		return prefix{}
	}
	return best
}

// unit puts a prefix before a unit; one for small numbers goes to what a ratio is divided by:
// 1 m warps/cycle is 1 warps/kcycle.
func (p prefix) unit(u string) string {
	above, below, ratio := strings.Cut(u, "/")
	if ratio && p.power < 0 && below != "s" {
		for _, inverse := range prefixes {
			if inverse.power == -p.power {
				return above + "/" + inverse.name + below
			}
		}
	}
	return p.name + u
}

// scaled is the axis for values up to most: what its values are divided by, and its label.
func (a *Axis) scaled(most float64) (prefix, string) {
	switch {
	case a.Unit == "":
		return prefix{}, a.Label
	case a.Log:
		return prefix{}, a.Label + " (" + a.Unit + ")"
	}
	p := prefixFor(most)
	return p, a.Label + " (" + p.unit(a.Unit) + ")"
}

// ticker marks an axis at round numbers.
type ticker struct {
	prefix prefix // of the unit
	log    bool
	room   vg.Length // for a mark with its label
	length vg.Length // of the axis
}

// Ticks implements plot.Ticker.
func (t ticker) Ticks(least, most float64) []plot.Tick {
	if t.log {
		return logTicks(least, most)
	}
	scale := t.prefix.scale()
	step := roundStep((most - least) / scale / max(1, math.Floor(float64(t.length/t.room))))
	shared := prefix{}
	if t.prefix.power == 0 {
		shared = prefixFor(most / scale)
	}
	if shared.power < 0 {
		shared = prefix{}
	}
	var ticks []plot.Tick
	for i := math.Ceil(least/scale/step-1e-9) + 0; i*step*scale <= most*(1+1e-9); i++ {
		x := i * step
		label := strconv.FormatFloat(round(x/shared.scale()), 'f', -1, 64)
		if x != 0 {
			label += shared.name
		}
		ticks = append(ticks, plot.Tick{Value: x * scale, Label: label})
	}
	return ticks
}

// round drops what a sum of steps is off by.
func round(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 10, 64), 64)
	return y
}

// roundStep is the least of 1, 2 and 5 times a power of ten from x on.
func roundStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range []float64{1, 2, 5} {
		if k*power >= x*(1-1e-9) {
			return k * power
		}
	}
	return 10 * power
}

// logTicks marks powers of ten, and 2 and 5 times those if there are few.
func logTicks(least, most float64) []plot.Tick {
	from, to := math.Floor(math.Log10(least)), math.Ceil(math.Log10(most))
	decades := math.Log10(most / least)
	var ticks []plot.Tick
	for e := from; e <= to; e++ {
		for k := 1.0; k < 10; k++ {
			x := k * math.Pow(10, e)
			if x < least*(1-1e-9) || x > most*(1+1e-9) {
				continue
			}
			label := ""
			every := math.Ceil(decades / 8)
			if k == 1 && math.Mod(e, every) == 0 || decades < 2.5 && (k == 2 || k == 5) {
				label = SI(x, "")
			}
			ticks = append(ticks, plot.Tick{Value: x, Label: label})
		}
	}
	return ticks
}

// SI writes a number to three digits and its unit, which may be empty, with a prefix of the SI if it is 1000 or more.
func SI(x float64, unit string) string {
	p := prefix{}
	for _, larger := range prefixes {
		if larger.power > 0 && math.Abs(x) >= larger.scale()*(1-1e-9) {
			p = larger
		}
	}
	digits := strconv.FormatFloat(x/p.scale(), 'g', 3, 64)
	if v, err := strconv.ParseFloat(digits, 64); err == nil {
		digits = strconv.FormatFloat(v, 'f', -1, 64)
	}
	if unit != "" {
		return digits + " " + p.name + unit
	}
	return digits + p.name
}
