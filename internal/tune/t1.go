package tune

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/expr-lang/expr"
)

// T1 is a tuning problem as Kernel Tuner's T1 files have it (FAIR sharing of auto-tuning data, T1 schema).
type T1 struct {
	Kernel      string
	Source      string // beside the file
	Params      []Param
	Where       []string
	Local, Grid string // expressions; empty = not told
}

// t1File is the parts of a T1 file that are read.
type t1File struct {
	Space struct {
		Params []struct {
			Name   string
			Values json.RawMessage
		} `json:"TuningParameters"`
		Conditions []struct{ Expression string }
	} `json:"ConfigurationSpace"`
	Kernel struct {
		KernelName, KernelFile       string
		LocalSize                    map[string]any
		ProblemSize                  json.RawMessage
		GridDivX, GridDivY, GridDivZ []any
	} `json:"KernelSpecification"`
}

// IsT1 reports whether a text is a T1 file, rather than a cache.
func IsT1(data []byte) bool {
	return bytes.Contains(data, []byte(`"ConfigurationSpace"`))
}

// ReadT1 reads a T1 file.
func ReadT1(file string, data []byte) (*T1, error) {
	var in t1File
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, tableError(file, 0, "this is not a T1 file: %v", err)
	}
	t := &T1{Kernel: in.Kernel.KernelName, Source: in.Kernel.KernelFile}
	for _, p := range in.Space.Params {
		values, err := t1Values(p.Values)
		if err != nil {
			return nil, tableError(file, 0, "the values of %s: %v", p.Name, err)
		}
		t.Params = append(t.Params, Param{p.Name, values})
	}
	if len(t.Params) == 0 {
		return nil, tableError(file, 0, "this T1 file has no TuningParameters")
	}
	for _, c := range in.Space.Conditions {
		t.Where = append(t.Where, c.Expression)
	}
	t.launch(&in)
	return t, nil
}

// t1Values reads a list, or the text of one in Python.
func t1Values(raw json.RawMessage) ([]Value, error) {
	var list []any
	if json.Unmarshal(raw, &list) != nil {
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, err
		}
		v, err := expr.Eval(text, map[string]any{"list": func(v []int) []int { return v }, "range": pythonRange,
			"True": true, "False": false})
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, oneLine(err))
		}
		switch v := v.(type) {
		case []any:
			list = v
		case []int:
			for _, n := range v {
				list = append(list, n)
			}
		default:
			return nil, fmt.Errorf("%q is not a list", text)
		}
	}
	var values []Value
	for _, v := range list {
		values = append(values, plainValue(v))
	}
	return values, nil
}

// pythonRange is Python's range.
func pythonRange(args ...int) (list []int) {
	from, end, by := 0, 0, 1
	switch len(args) {
	case 1:
		end = args[0]
	case 2:
		from, end = args[0], args[1]
	case 3:
		from, end, by = args[0], args[1], args[2]
	}
	for n := from; by > 0 && n < end && len(list) < MaxVariants; n += by {
		list = append(list, n)
	}
	return list
}

// launch reads the sizes: Kernel Tuner divides the problem by the product of GridDiv, rounded up.
func (t *T1) launch(in *t1File) {
	var local []string
	for _, d := range []string{"X", "Y", "Z"} {
		if v, ok := in.Kernel.LocalSize[d]; ok {
			local = append(local, fmt.Sprint(v))
		}
	}
	t.Local = strings.Join(local, ",")
	var problem []any
	if json.Unmarshal(in.Kernel.ProblemSize, &problem) != nil {
		return
	}
	var grid []string
	divisors := [][]any{in.Kernel.GridDivX, in.Kernel.GridDivY, in.Kernel.GridDivZ}
	for d, n := range problem {
		text := fmt.Sprint(n)
		if d < len(divisors) && len(divisors[d]) > 0 {
			var by []string
			for _, v := range divisors[d] {
				by = append(by, fmt.Sprint(v))
			}
			text = fmt.Sprintf("ceil((%s) / (%s))", text, strings.Join(by, " * "))
		}
		grid = append(grid, text)
	}
	t.Grid = strings.Join(grid, ",")
}
