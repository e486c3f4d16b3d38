package tune

import (
	"context"
	"fmt"
	"strings"

	"gpupipe/internal/report"
)

// Document predicts a variant in all detail.
func (p *Plan) Document(ctx context.Context, i int) (*report.Document, error) {
	j := &p.jobs[i]
	if j.err != nil {
		return nil, j.err
	}
	g, err := p.alone(j)
	if err != nil {
		return nil, err
	}
	r, err := report.Predict(ctx, g, report.Options{Mapper: p.devices[j.options.Device].Mapper,
		Config: p.config(g, j.options.Device), Warm: p.Recipe.Warm})
	if err != nil {
		return nil, err
	}
	return r.Document(false), nil
}

// ParsePoint reads the parameters of one variant: "BX=16 TX=2", with blanks or commas between them.
func ParsePoint(text string) (list []Param, err error) {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		p, err := ParseParam(part)
		if err == nil && len(p.Values) > 1 {
			err = fmt.Errorf("%s has several values", p.Name)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("write the parameters of a variant, as in 'BX=16 TX=2'")
	}
	return list, nil
}

// Pair is the space of two variants. A parameter that one of them lacks has the value of fixed parameters.
func Pair(a, b, fixed []Param) (*Space, error) {
	s := &Space{}
	value := func(list []Param, name string) (Value, bool) {
		for i := range list {
			if list[i].Name == name {
				return list[i].Values[0], true
			}
		}
		return nil, false
	}
	seen := map[string]bool{}
	var first, second []Value
	for _, p := range append(append(append([]Param(nil), fixed...), a...), b...) {
		if seen[p.Name] {
			continue
		}
		seen[p.Name] = true
		standard, ok := value(fixed, p.Name)
		if ok && len(p.Values) > 1 {
			ok = false
		}
		x, okX := value(a, p.Name)
		y, okY := value(b, p.Name)
		if !okX && ok {
			x, okX = standard, true
		}
		if !okY && ok {
			y, okY = standard, true
		}
		if !okX || !okY {
			return nil, spaceError("one of the two variants has no value of %s", p.Name)
		}
		q := Param{p.Name, []Value{x}}
		if Text(x) != Text(y) {
			q.Values = append(q.Values, y)
		}
		s.Params, first, second = append(s.Params, q), append(first, x), append(second, y)
	}
	s.Listed = []int64{s.Number(first), s.Number(second)}
	if s.Listed[0] == s.Listed[1] {
		return nil, spaceError("the two variants are the same one")
	}
	return s, nil
}
