package unroll

import (
	"testing"

	"gpupipe/lower"
)

func TestAdvice(t *testing.T) {
	r := &resolver{
		opt: Options{Args: map[string]ArgValue{"h": {Int: 9}}},
		k: &lower.Kernel{Params: []lower.Param{{Name: "in", Type: lower.Ptr}, {Name: "w", Type: lower.S32},
			{Name: "h", Type: lower.S32}, {Name: "m.cols", Type: lower.S32}}},
	}
	const loaded = ", or --contents NAME=FILE if it is loaded from a buffer"
	for text, want := range map[string]string{
		"if (x >= w && y < h)": "give --arg w=VALUE",
		"i < w * m.cols":       "give --arg w=VALUE --arg m.cols=VALUE" + loaded, // * may be a pointer's
		"j < end":              "give --arg NAME=VALUE (without one: w, m.cols)" + loaded,
		"width < cols":         "give --arg NAME=VALUE (without one: w, m.cols)" + loaded,
		"":                     "give --arg NAME=VALUE (without one: w, m.cols)" + loaded,
		"j < p->end + w":       "give --arg w=VALUE" + loaded,
		"j < in[w]":            "give --arg w=VALUE" + loaded,
	} {
		if got := oneOf(r.adviseValues(text)...); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	r.opt.Args = map[string]ArgValue{"w": {}, "h": {}, "m.cols": {}}
	if got := oneOf(r.adviseValues("i < w")...); got != "give --contents NAME=FILE if it is loaded from a buffer" {
		t.Errorf("where no argument lacks a value: %q", got)
	}
	for _, c := range []struct {
		ways []string
		want string
	}{
		{[]string{"", "--a"}, "give --a"},
		{[]string{"--a", "", "--b"}, "give --a, or --b"},
		{[]string{"--a", "--b", "--c"}, "give --a, --b, or --c"},
	} {
		if got := oneOf(c.ways...); got != c.want {
			t.Errorf("%q: %q, want %q", c.ways, got, c.want)
		}
	}
}
