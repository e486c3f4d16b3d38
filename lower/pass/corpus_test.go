package pass_test

import (
	"testing"

	"gpupipe/frontend"
	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower/pass"
	"gpupipe/lower/profile"
)

// tested is the profile of the tests.
var tested = &profile.Profile{Name: "test", Contract: profile.ContractFast}

// TestCorpus runs all passes over the built-in kernels and those that package lower's golden files have, and
// verifies the code after each.
func TestCorpus(t *testing.T) {
	irtest.Corpus(t, runAll)
}

// runAll runs the passes over every kernel of a source.
func runAll(t *testing.T, c frontend.Config) {
	t.Helper()
	for _, f := range irtest.Build(t, c) {
		before := f.String()
		err := pass.Run(f, &profile.Context{Profile: tested}, "", irverify.After)
		if err != nil {
			t.Errorf("%v\nbefore:\n%s\nafter:\n%s", err, before, f)
		}
	}
}

// controlFlow has what the kernels above lack.
var controlFlow = []string{
	`kernel void k(global const float *a, global float *o, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; j++) { if (a[j] < 0) continue; s += a[i*n+j]; if (s > 100.f) break; }
  switch (i & 3) { case 0: s += 1; case 1: s *= 2; break; case 2: s = 7; break; default: return; }
  o[i] = s;
}`,
}

// TestControlFlow runs all passes over kernels with unusual jumps.
func TestControlFlow(t *testing.T) {
	for _, text := range controlFlow {
		runAll(t, irtest.Config("k.cl", text))
	}
}

// TestBehind runs the passes that Run leaves out as well: they change nothing.
func TestBehind(t *testing.T) {
	irtest.Corpus(t, func(t *testing.T, c frontend.Config) {
		all, some := irtest.Build(t, c), irtest.Build(t, c)
		context := &profile.Context{Profile: tested}
		for i, f := range all {
			for _, p := range pass.List {
				p.Run(f, context)
			}
			if err := pass.Run(some[i], context, "", nil); err != nil {
				t.Fatal(err)
			}
			if want, got := f.String(), some[i].String(); got != want {
				t.Errorf("%s: %s:\nall passes:\n%s\nwithout those that nothing changed for:\n%s", c.File, f.Name, want, got)
			}
		}
	})
}
