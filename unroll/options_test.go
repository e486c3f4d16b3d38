package unroll_test

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/lower/translate"
	"gpupipe/unroll"
)

// TestBadOptions: contradictory options are errors that name them.
func TestBadOptions(t *testing.T) {
	at := unroll.Location{Line: 1}
	k := kernel(t, "kernel void k(global int *a, int n) { a[0] = n; }")
	for _, c := range []struct {
		o    unroll.Options
		want string
	}{
		{unroll.Options{Target: unroll.Target{WarpSize: 65}}, "warp size 65"},
		{unroll.Options{Target: unroll.Target{WarpSize: -1}}, "warp size -1"},
		{unroll.Options{Local: [3]int64{-1, 1, 1}}, "launch sizes"},
		{unroll.Options{Groups: [3]int64{1 << 41, 1, 1}}, "launch sizes"},
		{unroll.Options{Local: [3]int64{2048, 2048, 1}}, "larger than any device"},
		{unroll.Options{Local: [3]int64{1 << 10, 1 << 10, 2}}, "larger than any device"},
		{unroll.Options{Groups: [3]int64{1 << 32, 1 << 32, 4}},
			"launch of 4294967296 x 4294967296 x 4 groups of 1 work items is more than 2^53"},
		{unroll.Options{Local: [3]int64{512, 1, 1}, Groups: [3]int64{1 << 40, 1 << 5, 1}}, "more than 2^53 work items"},
		{unroll.Options{AssumeTrips: -1}, "assumed trip count -1"},
		{unroll.Options{DynamicLocal: -1}, "-1 bytes of dynamic local memory"},
		{unroll.Options{Trips: []unroll.TripChoice{{At: at, Trips: -2}}}, "trip count -2"},
		{unroll.Options{Unrolls: []unroll.UnrollChoice{{At: at, Factor: 0}}}, "unroll factor 0"},
		{unroll.Options{Args: map[string]unroll.ArgValue{"m": {}}}, `no scalar argument "m"`},
		{unroll.Options{Args: map[string]unroll.ArgValue{"a": {}}}, "its scalar arguments are [n]"},
		{unroll.Options{Target: unroll.Target{Level: 9}}, "level"},
		{unroll.Options{Target: unroll.Target{Compiler: 9}}, "compiler"},
		{unroll.Options{Target: unroll.Target{Barrier: 9}}, "barrier"},
		{unroll.Options{Warps: 9}, "warps"}, {unroll.Options{Kinds: 9}, "groups"},
		{unroll.Options{Locality: 9}, "locality"},
		{unroll.Options{Branches: []unroll.BranchChoice{{At: at, Side: 9}}}, "branch"},
	} {
		_, err := c.o.WithDefaults()
		if err == nil {
			err = c.o.Check(k)
		}
		if err == nil || !strings.Contains(err.Error()+strings.Join(err.(*diag.Error).Notes, ""), c.want) {
			t.Errorf("%+v: %v, want an error about %q", c.o, err, c.want)
		}
	}
	none := kernel(t, "kernel void k(global int *a) { a[0] = 1; }")
	o := unroll.Options{Args: map[string]unroll.ArgValue{"n": {}}}
	if err, ok := o.Check(none).(*diag.Error); !ok || err.Notes[0] != "it has no scalar arguments" {
		t.Errorf("an argument of a kernel without any: %v", err)
	}
}

func kernel(t *testing.T, text string) *lower.Kernel {
	t.Helper()
	u, err := frontend.Parse(frontend.Config{File: "k.cl", Text: text, Dialect: ast.OpenCL})
	if err != nil {
		t.Fatal(err)
	}
	k, err := translate.Kernel(u, u.Kernels[0])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestDefaults: zero values take the documented defaults.
func TestDefaults(t *testing.T) {
	o, err := unroll.Options{}.WithDefaults()
	if err != nil || o.Level != unroll.O2 || o.Compiler != unroll.NVCC || o.WarpSize != 32 ||
		o.AssumeTrips != unroll.DefaultAssumedTrips || o.MaxInstructions != unroll.DefaultMaxInstructions ||
		o.Barrier != unroll.WaitIssue || o.Warps != unroll.EveryWarp || o.Kinds != unroll.MiddleGroup ||
		o.Locality != unroll.WithoutLocality || o.Local != [3]int64{1, 1, 1} {
		t.Errorf("%+v, %v", o, err)
	}
	o, err = unroll.Options{Target: unroll.Target{Level: unroll.O0}}.WithDefaults()
	if err != nil || o.Barrier != unroll.WaitComplete {
		t.Errorf("at -O0: %+v, %v", o, err)
	}
}

// TestLocations reads LINE, LINE:COLUMN, FILE:LINE and FILE:LINE:COLUMN.
func TestLocations(t *testing.T) {
	for text, want := range map[string]unroll.Location{
		"31": {Line: 31}, "31:5": {Line: 31, Column: 5}, "k.cl:31": {File: "k.cl", Line: 31},
		"d/k.cl:31:5": {File: "d/k.cl", Line: 31, Column: 5},
	} {
		got, err := unroll.ParseLocation(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%s: %+v %v %v", text, got, got, err)
		}
		if !got.Matches(lower.Pos{File: "e/d/k.cl", Line: 31, Column: 5}) || got.Matches(lower.Pos{File: "k.cl", Line: 3}) {
			t.Errorf("%s matches other positions", text)
		}
	}
	for _, text := range []string{"", "k.cl", "0", "-3", "31:0", "1:2:3", "k.cl:", "k.cl:x", "a:b:3", "31:",
		"99999999999999999999"} {
		if loc, err := unroll.ParseLocation(text); err == nil {
			t.Errorf("%q reads as %+v", text, loc)
		}
	}
}

// TestNames: choices are read by their names only.
func TestNames(t *testing.T) {
	for i, text := range []string{"taken", "not-taken", "both", "maybe"} {
		if s, err := unroll.ParseBranchSide(text); (err == nil) != (i < 3) || err == nil && int(s) != i+1 {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
	for i, text := range []string{"none", "group", "launch", "all"} {
		if l, err := unroll.ParseLocality(text); (err == nil) != (i < 3) || err == nil && l.String() != text {
			t.Errorf("%s: %v, %v", text, l, err)
		}
	}
	if s := unroll.LocalityChoice(9).String(); s != "LocalityChoice(9)" {
		t.Error(s)
	}
}

// TestArgList: arguments are listed in the order of the parameters, with whether they were assumed.
func TestArgList(t *testing.T) {
	k := kernel(t, "kernel void k(global int *a, int n, float x, int m) { a[0] = n + x + m; }")
	list := unroll.ArgList(k, unroll.Options{AssumedArgs: map[string]bool{"n": true},
		Args: map[string]unroll.ArgValue{"x": {Float: 0.5, IsFloat: true}, "n": {Int: 3}}})
	if len(list) != 2 || list[0].Name != "n" || list[0].Value != "3" || !list[0].Assumed || list[1].Value != "0.5" ||
		list[1].Assumed {
		t.Errorf("%+v", list)
	}
}
