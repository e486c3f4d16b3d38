package tune

import (
	"strings"
	"testing"
)

func TestParseParam(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"BX=16,32,64", "16 32 64"},
		{"TX=1..4", "1 2 3 4"},
		{"N=1..64*2", "1 2 4 8 16 32 64"},
		{"S=100..300:100,7", "100 200 300 7"},
		{"T=float,double", "float double"},
		{"F=0.5,1", "0.5 1"},
		{"BX=", "write NAME=LIST"},
		{"BX", "write NAME=LIST"},
		{"2X=1", "is not a name"},
		{"BX=1,2,1", "has the value 1 twice"},
		{"BX=4..1", "ends before it begins"},
	} {
		p, err := ParseParam(c.text)
		var texts []string
		for _, v := range p.Values {
			texts = append(texts, Text(v))
		}
		got := strings.Join(texts, " ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want && !(err != nil && strings.Contains(got, c.want)) {
			t.Errorf("%s gives %q, want %q", c.text, got, c.want)
		}
	}
}

// space makes one of the texts of its flags.
func space(t *testing.T, params, where []string) *Space {
	t.Helper()
	s := &Space{}
	for _, text := range params {
		p, err := ParseParam(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Params = append(s.Params, p)
	}
	for _, text := range where {
		e, err := ParseExpr(text, s.Params)
		if err != nil {
			t.Fatal(err)
		}
		s.Where = append(s.Where, e)
	}
	return s
}

func TestVariants(t *testing.T) {
	s := space(t, []string{"A=1,2,3", "B=x,y"}, []string{"A != 2"})
	list, err := s.Variants()
	if err != nil || len(list) != 4 {
		t.Fatalf("%d variants, %v", len(list), err)
	}
	for _, v := range list {
		var values []Value
		for i := range s.Params {
			values = append(values, s.Params[i].Values[v.Index[i]])
		}
		if n := s.Number(values); n != v.Number {
			t.Errorf("%s has number %d, not %d", s.Describe(&v), v.Number, n)
		}
	}
	if got := s.Describe(&list[3]); got != "A=3 B=y" {
		t.Errorf("the last one is %s", got)
	}
}

func TestSpaceErrors(t *testing.T) {
	large := []string{"A=1..1000", "B=1..1000", "C=1..10"}
	for _, c := range []struct {
		params, where []string
		want          string
	}{
		{[]string{"A=1,2"}, []string{"A > 2"}, "no variant is left"},
		{[]string{"A=0,1"}, []string{"1 / A > 0"}, "division by zero, at A=0"},
		{[]string{"A=1", "A=2"}, nil, "parameter A is given twice"},
		{large, nil, "10000000 variants"},
		{[]string{"A=x"}, []string{"A"}, "must be true or false"},
	} {
		_, err := space(t, c.params, c.where).Variants()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v where %v: %v, want %q", c.params, c.where, err, c.want)
		}
	}
	s := space(t, large, []string{"A % 2 == 0"})
	s.Sample = 50
	first, err := s.Variants()
	if err != nil || len(first) != 50 {
		t.Fatalf("a sample has %d variants, %v", len(first), err)
	}
	second, _ := s.Variants()
	for i := range first {
		if first[i].Number != second[i].Number {
			t.Fatal("a sample is another one when it is drawn again")
		}
	}
}
