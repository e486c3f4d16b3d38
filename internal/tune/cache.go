package tune

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gpupipe/internal/sheet"
)

// cacheFile is a cache of Kernel Tuner: its results by configuration, in their order.
type cacheFile struct {
	DeviceName string           `json:"device_name"`
	KernelName string           `json:"kernel_name"`
	Problem    any              `json:"problem_size"`
	Keys       []string         `json:"tune_params_keys"`
	Params     map[string][]any `json:"tune_params"`
	Objective  string           `json:"objective,omitempty"`
	Cache      json.RawMessage  `json:"cache"`
}

// cacheEntry is one configuration.
type cacheEntry struct {
	key    string
	values map[string]any
}

// entries are the configurations in the order of the file.
func (c *cacheFile) entries() (list []cacheEntry) {
	d := json.NewDecoder(bytes.NewReader(c.Cache))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		e := cacheEntry{key: fmt.Sprint(key)}
		if err != nil || d.Decode(&e.values) != nil {
			return list
		}
		list = append(list, e)
	}
	return list
}

// What Kernel Tuner writes in the place of the time of a configuration that cannot run.
const (
	compileFailed = "CompilationFailedConfig"
	runFailed     = "RuntimeFailedConfig"
)

// WriteCache writes rows as a cache of Kernel Tuner, whose simulation mode replays them as if they were measured.
func WriteCache(w io.Writer, p *Plan, rows []Row) error {
	b := bufio.NewWriter(w)
	params := map[string]any{}
	var names []string
	for i := range p.Space.Params {
		q := &p.Space.Params[i]
		names, params[q.Name] = append(names, q.Name), q.Values
	}
	fmt.Fprint(b, "{\n")
	for _, f := range []struct {
		name  string
		value any
	}{{"device_name", p.Recipe.Devices[0].Title}, {"kernel_name", p.Kernel}, {"tune_params_keys", names},
		{"tune_params", params}, {"objective", "time"}} {
		fmt.Fprintf(b, "%q: %s,\n", f.name, text(f.value))
	}
	fmt.Fprint(b, "\"cache\": {")
	for i := range rows {
		r := &rows[i]
		var key []string
		e := map[string]any{}
		for k, v := range r.Values {
			key, e[names[k]] = append(key, pythonText(v)), v
		}
		e["compile_time"], e["verification_time"], e["benchmark_time"] = 0, 0, 0
		e["strategy_time"], e["framework_time"] = 0, 0
		if r.Error != "" {
			e["time"], e["error"] = r.failure(), r.Error
		} else {
			e["time"], e["times"] = 1e3*r.Seconds, []float64{1e3 * r.Seconds}
			e["registers"], e["spill_bytes"], e["occupancy_warps"] = r.Registers, r.Spills, r.Warps
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "\n%s: %s", text(strings.Join(key, ",")), text(e))
	}
	fmt.Fprint(b, "}\n}\n")
	return b.Flush()
}

// failure is how Kernel Tuner calls why a variant cannot run.
func (r *Row) failure() string {
	if r.Stage == StageLaunch {
		return runFailed
	}
	return compileFailed
}

// pythonText is a value as Python prints it.
func pythonText(v Value) string {
	switch v := v.(type) {
	case bool:
		if v {
			return "True"
		}
		return "False"
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e16 {
			return strconv.FormatFloat(v, 'f', 1, 64)
		}
	}
	return Text(v)
}

// text is a value as JSON, whose maps are in order of their keys.
func text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "null"
	}
	return strings.TrimSpace(b.String())
}

// t4Result is a configuration of a T4 file.
type t4Result struct {
	Configuration map[string]any `json:"configuration"`
	Objectives    []string       `json:"objectives"`
	Times         t4Times        `json:"times"`
	Invalidity    string         `json:"invalidity"`
	Correctness   int            `json:"correctness"`
	Measurements  []t4Value      `json:"measurements"`
}

type t4Times struct {
	Compilation float64   `json:"compilation_time"`
	Runtimes    []float64 `json:"runtimes"`
	Framework   float64   `json:"framework"`
	Search      float64   `json:"search_algorithm"`
	Validation  float64   `json:"validation"`
}

type t4Value struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

// WriteT4 writes rows as T4 results (Open Autotuning Results Schema 1.0.0).
func WriteT4(w io.Writer, p *Plan, rows []Row) error {
	list := []t4Result{}
	for i := range rows {
		r := &rows[i]
		one := t4Result{Configuration: map[string]any{}, Objectives: []string{"time"}, Invalidity: "correct",
			Correctness: 1, Times: t4Times{Runtimes: []float64{}}, Measurements: []t4Value{}}
		for k, v := range r.Values {
			one.Configuration[p.Space.Params[k].Name] = v
		}
		switch {
		case r.Error == "":
			one.Times.Runtimes = append(one.Times.Runtimes, 1e3*r.Seconds)
			one.Measurements = append(one.Measurements, t4Value{"time", 1e3 * r.Seconds, "ms"})
		case r.Stage == StageLaunch:
			one.Invalidity, one.Correctness = "runtime", 0
		default:
			one.Invalidity, one.Correctness = "compile", 0
		}
		list = append(list, one)
	}
	return sheet.WriteJSON(w, map[string]any{"schema_version": "1.0.0", "results": list,
		"metadata": map[string]string{"timeunit": "milliseconds"}})
}
