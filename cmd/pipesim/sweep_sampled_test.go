package main

import (
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpupipe/internal/sheet"
	"gpupipe/internal/test/tools"
	"gpupipe/simulate/sweep"
)

// pair is a row that was not simulated as a whole, beside a full run of it.
type pair struct {
	name    string
	err     float64 // relative error of the cycles
	sampled bool
	bound   float64 // if sampled
}

// againstFull sweeps twice, as the arguments say and with every group simulated,
// and pairs the rows. It holds that a row which is not extrapolated is exact.
func againstFull(t testing.TB, args ...string) []pair {
	t.Helper()
	quick, full := records(t, sweepOf(t, args...)), records(t, sweepOf(t, append(args, "--full")...))
	if len(quick) != len(full) {
		t.Fatalf("%d rows, %d of full runs", len(quick), len(full))
	}
	var pairs []pair
	for i, q := range quick {
		f := full[i]
		if q["row"] != f["row"] || f["extrapolated"] != "false" || f["sampling_bound"] != "" {
			t.Fatalf("row %v beside %v", q, f)
		}
		p := pair{name: q["graph"] + " " + q["gpu"] + " " + q["concurrent"], sampled: q["sampling_bound"] != ""}
		p.err = math.Abs(numberIn(t, q["cycles"])/numberIn(t, f["cycles"]) - 1)
		if p.sampled {
			p.bound = numberIn(t, q["sampling_bound"])
		}
		switch {
		case q["extrapolated"] == "true":
			pairs = append(pairs, p)
		case p.sampled || p.err != 0:
			t.Errorf("%s: not extrapolated, sampled %t, but off by %v", p.name, p.sampled, p.err)
		}
	}
	return pairs
}

// records reads CSV rows by the names of their columns.
func records(t testing.TB, text string) []map[string]string {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]string
	for _, line := range lines[1:] {
		r := map[string]string{}
		for i, name := range lines[0] {
			r[name] = line[i]
		}
		list = append(list, r)
	}
	return list
}

func numberIn(t testing.TB, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// errorsOf are the errors of pairs in ascending order.
func errorsOf(pairs []pair) []float64 {
	var list []float64
	for _, p := range pairs {
		list = append(list, p.err)
	}
	slices.Sort(list)
	return list
}

// quantile is the smallest value that at least the share q of sorted values does
// not exceed.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}

// TestSampledRows compares the rows of a sweep with full runs: what is
// extrapolated is said to be, a sampled row states a bound of at most the default
// precision, and the true error is within it in 9 of 10 rows at least (in 265 of 281 on these
// GPUs and the GTX 680 and K620).
func TestSampledRows(t *testing.T) {
	tools.Heavy(t)
	dir := t.TempDir()
	args := []string{"--gpu", "gtx480,gtx1060,rtx2070,gtx980,c2050"}
	for _, name := range []string{"barrier", "black-scholes", "convolution", "reduction"} {
		args = append(args, graphFile(t, dir, name+".json", "--builtin", name, "--local", "64"))
	}
	sampled, within := 0, 0
	pairs := againstFull(t, args...)
	for _, p := range pairs {
		if !p.sampled {
			continue
		}
		sampled++
		if p.bound > sweep.Precision {
			t.Errorf("%s: a bound of %v", p.name, p.bound)
		}
		if p.err <= p.bound+1e-12 {
			within++
		} else {
			t.Logf("%s: error %.3f%%, bound %.3f%%", p.name, 100*p.err, 100*p.bound)
		}
	}
	errs := errorsOf(pairs)
	t.Logf("%d rows extrapolated, %d of them sampled, %d within their bounds; error: median %.3f%%, 95%% of rows "+
		"%.3f%%, at most %.3f%%",
		len(pairs), sampled, within, 100*quantile(errs, 0.5), 100*quantile(errs, 0.95), 100*quantile(errs, 1))
	if sampled < 20 || float64(within) < 0.9*float64(sampled) {
		t.Errorf("%d rows sampled, %d within their bounds", sampled, within)
	}
}

// TestExtrapolations holds that a table and a chart say what was not simulated.
func TestExtrapolations(t *testing.T) {
	row := func(extrapolated, sampled bool, bound float64) *sweep.Row {
		return &sweep.Row{Outcome: sweep.Outcome{Extrapolated: extrapolated, Sampled: sampled, SamplingBound: bound}}
	}
	for _, c := range []struct {
		rows []*sweep.Row
		want []string // beginnings
	}{
		{nil, nil},
		{[]*sweep.Row{row(false, false, 0)}, nil},
		{[]*sweep.Row{row(true, true, 0.0042), row(true, true, 0.001), row(false, false, 0)},
			[]string{"~ sampled until the throughput had converged: 2 rows, cycles within 0.42% or less"}},
		{[]*sweep.Row{row(true, true, 0)},
			[]string{"~ sampled until the throughput had converged: 1 row, cycles within 0% or less"}},
		{[]*sweep.Row{row(true, false, 0), row(true, true, 0.002)},
			[]string{"~ sampled until the throughput had converged: 1 row,",
				"~ extrapolated from the steady state, without a bound of the error: 1 row"}},
	} {
		got := extrapolations(c.rows)
		if len(got) != len(c.want) {
			t.Fatalf("%q, want %q", got, c.want)
		}
		var chart strings.Builder
		if err := writeChart(&chart, nil, c.rows, sheet.Layout{Width: 500}); err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if !strings.HasPrefix(got[i], want) || !strings.Contains(chart.String(), got[i]+"\n") {
				t.Errorf("%q, want %q; chart:\n%s", got[i], want, &chart)
			}
		}
	}
}

// BenchmarkSampledRows tells the true error of the experiments' rows that are not
// simulated as a whole, in percent. It takes longer than the sweep that it judges.
func BenchmarkSampledRows(b *testing.B) {
	args := experimentArgs(b)
	for b.Loop() {
		pairs := againstFull(b, args...)
		errs := errorsOf(pairs)
		sampled, within := 0.0, 0.0
		for _, p := range pairs {
			if p.sampled {
				sampled++
				if p.err <= p.bound+1e-12 {
					within++
				}
			}
		}
		b.ReportMetric(float64(len(pairs)), "extrapolated")
		b.ReportMetric(sampled, "sampled")
		b.ReportMetric(within, "within-bound")
		b.ReportMetric(100*quantile(errs, 0.5), "%-median")
		b.ReportMetric(100*quantile(errs, 0.95), "%-at-95")
		b.ReportMetric(100*quantile(errs, 1), "%-most")
	}
}
