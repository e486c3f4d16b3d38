package latencies

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"

	"github.com/goccy/go-yaml/ast"
)

// figures takes the numbers out of a source's text by a pattern.
func figures(source, pattern string) ([]float64, error) {
	m := regexp.MustCompile(pattern).FindStringSubmatch(source)
	if m == nil {
		return nil, fmt.Errorf("%q does not give the figures of the rule (%s)", source, pattern)
	}
	var out []float64
	for _, text := range m[1:] {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

const num = `(\d+(?:\.\d+)?)`

// bytesPerWarp is what an access of 4 bytes per lane moves.
func bytesPerWarp(d *Device) float64 { return 4 * float64(d.WarpSize) }

// recomputed are the rules whose result follows from the figures that a source's
// text quotes, with the unit to which it is rounded.
var recomputed = map[string]struct {
	unit float64
	want func(d *Device, source string) (float64, error)
}{
	"bandwidth": {0.01, func(d *Device, source string) (float64, error) {
		if strings.Contains(source, "59% of the V100's") { // J19 gives the share of another GPU
			return bytesPerWarp(d) * 40 * 1590 / 1000 / (0.59 * 2155), nil
		}
		f, err := figures(source, num+` GB/s on `+num+` compute units at `+num+` MHz`)
		if err != nil {
			return 0, err
		}
		return bytesPerWarp(d) * f[1] * f[2] / 1000 / f[0], nil
	}},
	"bytes": {0.01, func(d *Device, source string) (float64, error) {
		f, err := figures(source, num+` bytes per cycle`)
		if err != nil {
			return 0, err
		}
		return bytesPerWarp(d) / f[0], nil
	}},
	"achieved-share": {0.01, func(d *Device, source string) (float64, error) {
		f, err := figures(source, `SPEC \(`+num+` GB/s\).*: `+num+` of `+num+` GB/s`)
		if err != nil {
			return 0, err
		}
		return bytesPerWarp(d) * float64(d.ComputeUnits) * float64(d.ClockHz) / 1e9 / (f[0] * f[1] / f[2]), nil
	}},
	"little": {1, func(d *Device, source string) (float64, error) {
		f, err := figures(source, num+` threads with `+num+` bytes each at `+num+` GB/s`)
		if err != nil {
			return 0, err
		}
		return f[0] * f[1] / f[2] * float64(d.ClockHz) / 1e9, nil
	}},
	"launch": {10, func(_ *Device, source string) (float64, error) {
		f, err := figures(source, num+` KiB at `+num+` GB/s, of which L2 has `+num+` cycles at `+num+` MHz`)
		if err != nil {
			return 0, err
		}
		return f[0]*1024/f[1] - f[2]*1000/f[3], nil
	}},
	"launch-slope": {0.01, func(_ *Device, source string) (float64, error) {
		f, err := figures(source, num+` ns for each at `+num+` MHz`)
		if err != nil {
			return 0, err
		}
		return f[0] * f[1] / 1000, nil
	}},
	"slope": {0.01, func(_ *Device, source string) (float64, error) {
		f, err := figures(source, num+` and `+num+` cycles`)
		if err != nil {
			return 0, err
		}
		return (f[1] - f[0]) / 31, nil
	}},
	"updates": {0.01, func(_ *Device, source string) (float64, error) {
		f, err := figures(source, num+` GB/s at `+num+` MHz, `+num+` bytes an update`)
		if err != nil {
			return 0, err
		}
		return f[2] * f[1] / 1000 / f[0], nil
	}},
	"midpoint": {1, func(_ *Device, source string) (float64, error) {
		f, err := figures(source, num+` to `+num)
		if err != nil {
			return 0, err
		}
		return (f[0] + f[1]) / 2, nil
	}},
	"matrix": {0.01, func(_ *Device, source string) (float64, error) {
		f, err := figures(source, num+` multiply-adds, `+num+` per cycle`)
		if err != nil {
			return 0, err
		}
		return f[0] / f[1], nil
	}},
	"block-copy": {0.5, func(d *Device, source string) (float64, error) {
		f, err := figures(source, num+` cycles, a load `+num+`, of local memory `+num+`; a barrier `+num)
		if err != nil {
			return 0, err
		}
		return f[0] - f[1] - f[2] - f[3], nil
	}},
	"own-time": {0.01, func(d *Device, source string) (float64, error) {
		f, err := figures(source, num+` columns, `+num+` multiply-adds, `+num+` per cycle`)
		if err != nil {
			return 0, err
		}
		return f[1] / f[2] * float64(d.Partitions), nil
	}},
	"one-warp": {0.01, func(d *Device, source string) (float64, error) {
		f, err := figures(source, `: `+num+` cycles`)
		if err != nil {
			return 0, err
		}
		return f[0] / float64(d.Partitions), nil
	}},
	"per-line": {0.01, func(_ *Device, source string) (float64, error) {
		f, err := figures(source, num+` cycles for `+num+` lines`)
		if err != nil {
			return 0, err
		}
		if strings.Contains(source, "on two compute units") {
			f[0] *= 2
		}
		return (f[0] - 1) / (f[1] - 1), nil
	}},
	"copied": {0.001, func(_ *Device, source string) (float64, error) {
		f, err := figures(source, num+` GB/s (?:read|written), `+num+` GB/s copied`)
		if err != nil {
			return 0, err
		}
		return f[0] / f[1], nil
	}},
	"nanoseconds": {1, func(d *Device, source string) (float64, error) {
		f, err := figures(source, num+` ns`)
		if err != nil {
			return 0, err
		}
		return f[0] * float64(d.ClockHz) / 1e9, nil
	}},
	"beyond-cache": {1, func(d *Device, source string) (float64, error) {
		f, err := figures(source, num+` ns more than its Infinity Cache`)
		if err != nil {
			return 0, err
		}
		return d.Memory.L3.Latency.Float() + f[0]*float64(d.ClockHz)/1e9, nil
	}},
	"lane-rate": {0.01, func(_ *Device, source string) (float64, error) {
		f, err := figures(source, num+` lanes per cycle and each of `+num+` schedulers`)
		if err != nil {
			return 0, err
		}
		return 1 / (f[0] * f[1]), nil
	}},
	"warp-rate": {0.01, func(_ *Device, source string) (float64, error) {
		f, err := figures(source, num+` warp instructions per cycle`)
		if err != nil {
			return 0, err
		}
		return 1 / f[0], nil
	}},
	"transactions": {1, func(d *Device, source string) (float64, error) {
		f, err := figures(source, num+` cycles for `+num+` lines`)
		if err != nil {
			return 0, err
		}
		g, err := figures(source, `1 in `+num+` of them by L2 in `+num)
		if err != nil {
			return f[0] - (f[1]-1)*d.Memory.L2.CPI.Float(), nil
		}
		share := 1 / g[0]
		return (f[0]-share*g[1])/(1-share) - (f[1]-1)*d.Memory.L1.CPI.Float(), nil
	}},
	"at-most-memory": {1, func(d *Device, _ string) (float64, error) {
		i := slices.IndexFunc(d.Instructions, func(in Instruction) bool { return in.Match == "ld.global" })
		return d.Instructions[i].Timing.Latency.Float(), nil
	}},
	"same-time": {1, func(d *Device, source string) (float64, error) {
		f, err := figures(source, num+` cycles at `+num+` MHz`)
		if err != nil {
			return 0, err
		}
		return f[0] / f[1] * float64(d.ClockHz) / 1e6, nil
	}},
}

// Every number that a rule derives from the figures of its source is recomputed from
// them, on every device.
func TestDerivedNumbers(t *testing.T) {
	checked := map[string]int{}
	for _, name := range Names() {
		d := builtin(t, name)
		for _, o := range d.Origins {
			r, ok := recomputed[o.Derived]
			if !ok || o.Derived == "bandwidth" && strings.HasSuffix(o.Path, ".latency") {
				continue
			}
			got := cyc(t, o.Value).Float()
			want, err := r.want(d, o.Source)
			if err != nil {
				t.Errorf("%s: %s: %v", o.Pos, o.Path, err)
			} else if math.Abs(got-want) > 0.501*r.unit {
				t.Errorf("%s: %s is %v, rule %s gives %.4g from %q", o.Pos, o.Path, got, o.Derived, want, o.Source)
			}
			checked[o.Derived]++
		}
	}
	for rule := range recomputed {
		if checked[rule] == 0 {
			t.Errorf("no number follows from rule %s", rule)
		}
	}
}

// Rule specified-rate: single precision rate, lanes and compute units of the data
// sheets that the sources name.
func TestSpecifiedRate(t *testing.T) {
	for name, c := range map[string][3]float64{"w6600": {10.4, 64, 28}, "w7800": {45.2, 128, 70}} {
		if d := builtin(t, name); d.ClockHz != int64(math.Round(c[0]*1e6/(2*c[1]*c[2])))*1e6 {
			t.Errorf("%s: %d Hz", name, d.ClockHz)
		}
	}
}

// stream is one GPU's reads of 8 bytes a thread: resident threads of the whole GPU
// and GB/s.
type stream struct {
	mhz    float64
	points [][2]float64
}

// streams reads testdata/stream_read.csv.
func streams(t *testing.T) map[string]*stream {
	t.Helper()
	f, err := os.Open("testdata/stream_read.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*stream{}
	for _, row := range rows[1:] {
		var v [4]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(row[i+1], 64); err != nil {
				t.Fatal(err)
			}
		}
		if out[row[0]] == nil {
			out[row[0]] = &stream{mhz: v[0]}
		}
		out[row[0]].points = append(out[row[0]].points, [2]float64{v[2], v[3]})
	}
	return out
}

// Rule loaded-latency, recomputed: Little's law at each point, then least squares.
func TestLoadedLatency(t *testing.T) {
	measured := streams(t)
	if len(measured) < 7 {
		t.Fatalf("%d GPUs", len(measured))
	}
	measured["mi250x"] = measured["mi210"] // of which it is one die
	for name, s := range measured {
		c := builtin(t, name).Memory.Contention
		if c == nil {
			t.Errorf("%s has no contention", name)
			continue
		}
		if o, _ := builtin(t, name).Origin("memory.contention.queueing"); name == "h200" && o.Derived == "" {
			continue // measured with chains of loads
		}
		latency := func(p [2]float64) float64 { return p[0] * 8 * s.mhz / 1000 / p[1] }
		a := latency(s.points[0])
		var xx, xt, tt, xy, ty float64 // normal equations of x·capacity - T·queueing = x·T
		for _, p := range s.points[1:] {
			x, load := latency(p)-a, p[1]
			xx, xt, tt = xx+x*x, xt-x*load, tt+load*load
			xy, ty = xy+x*x*load, ty-load*x*load
		}
		det := xx*tt - xt*xt
		capacity, queueing := (xy*tt-ty*xt)/det, (xx*ty-xt*xy)/det
		for what, pair := range map[string][2]float64{"unloaded": {c.Unloaded.Float(), a},
			"queueing": {c.Queueing.Float(), queueing}, "capacity": {c.Capacity.Float(), capacity}} {
			if math.Abs(pair[0]-pair[1]) > 0.501 {
				t.Errorf("%s: %s is %v, the rule gives %.2f", name, what, pair[0], pair[1])
			}
		}
	}
	for _, name := range Names() {
		if o, ok := builtin(t, name).Origin("memory.contention.queueing"); ok && o.Derived == "loaded-latency" &&
			measured[name] == nil {
			t.Errorf("%s: the measurements behind its contention are not in this test", name)
		}
	}
}

// Rule scaled-load, recomputed from the figures that the source quotes, which must
// be those of the GPU that it names.
func TestScaledLoad(t *testing.T) {
	named := map[string]string{"A40": "a40", "L40": "l40", "H100 PCIe": "h100", "V100": "v100", "GTX 980": "gtx980",
		"MI210": "mi210"}
	n := 0
	for _, name := range Names() {
		d := builtin(t, name)
		o, ok := d.Origin("memory.contention.capacity")
		if !ok || o.Derived != "scaled-load" {
			continue
		}
		n++
		f, err := figures(o.Source, `queueing `+num+` cycles at `+num+` MHz, capacity `+num+` of `+num+` GB/s`)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_, who, _ := strings.Cut(o.Source, "(")
		who = who[:strings.IndexAny(who, ",:")]
		from := builtin(t, named[who])
		if q := from.Memory.Contention; q == nil || q.Queueing.Float() != f[0] || float64(from.ClockHz)/1e6 != f[1] ||
			q.Capacity.Float() != f[2] || from.Memory.PeakGBs.Float() != f[3] {
			t.Errorf("%s: %q does not quote %s: %+v", name, o.Source, from.Name, q)
		}
		c := d.Memory.Contention
		for what, pair := range map[string][2]float64{
			"unloaded": {c.Unloaded.Float(), entry(t, d, "ld.global").Timing.Latency.Float()},
			"queueing": {c.Queueing.Float(), f[0] * float64(d.ClockHz) / 1e6 / f[1]},
			"capacity": {c.Capacity.Float(), f[2] / f[3] * d.Memory.PeakGBs.Float()},
		} {
			if math.Abs(pair[0]-pair[1]) > 0.501 {
				t.Errorf("%s: %s is %v, the rule gives %.2f", name, what, pair[0], pair[1])
			}
		}
	}
	if n < 8 {
		t.Errorf("only %d devices", n)
	}
}

// No number stands in a device file outside a mapping that names its source: the
// text of every file is searched without the decoder's help.
func TestNoNumberWithoutSource(t *testing.T) {
	files := slices.Concat(prefixed("devices/", Names()), prefixed("architectures/", Architectures()))
	numbers := 0
	for _, name := range files {
		data, err := deviceFiles.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m, perr := parseYAML(name, data)
		if perr != nil {
			t.Fatal(perr)
		}
		for _, v := range m.Values {
			if key, _ := scalar(v.Key); key == "version" || key == "aliases" || key == "capability" || key == "name" {
				continue
			}
			numbers += sourced(t, name, v.Value, false)
		}
	}
	if numbers < 900 {
		t.Errorf("only %d numbers found", numbers)
	}
}

// A device file from which the source of any one number is removed is refused:
// no number of these files is read past the decoder's check.
func TestRemovedSourceIsRefused(t *testing.T) {
	source := regexp.MustCompile(`, source: ("[^"]*"|[^,}\n]+)`)
	removed := 0
	for _, name := range Names() {
		file := "devices/" + name + ".yaml"
		data, err := deviceFiles.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, at := range source.FindAllIndex(data, -1) {
			if !tools.Full() && i%4 > 0 {
				continue
			}
			removed++
			wrong := slices.Concat(data[:at[0]], data[at[1]:])
			if _, err := ParseDevice(file, wrong); err == nil || !strings.Contains(err.Error(), "has no source") {
				t.Errorf("%s without %s: %v", file, data[at[0]:at[1]], err)
			}
		}
	}
	if removed < tools.Cases(500, 125) {
		t.Errorf("only %d sources removed", removed)
	}
}

func prefixed(dir string, names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, dir+n+".yaml")
	}
	return out
}

// sourced counts the numbers under a node and complains about those that are not in
// a mapping with a source.
func sourced(t *testing.T, file string, n ast.Node, hasSource bool) int {
	switch n := n.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		if !hasSource {
			t.Errorf("%s: the number %s has no source", nodePos(file, n), n)
		}
		return 1
	case *ast.SequenceNode:
		count := 0
		for _, v := range n.Values {
			count += sourced(t, file, v, false)
		}
		return count
	}
	m, ok := asMapping(n)
	if !ok {
		return 0
	}
	has, count := false, 0
	for _, v := range m.Values {
		key, _ := scalar(v.Key)
		has = has || key == "source"
	}
	for _, v := range m.Values {
		count += sourced(t, file, v.Value, has)
	}
	return count
}
