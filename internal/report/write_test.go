package report

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/internal/sheet"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// predict is the prediction of a built-in kernel, with everything that can be asked for.
func predict(t *testing.T, builtin string) *Prediction {
	t.Helper()
	s, err := generate.Builtin(builtin, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	unit, err := generate.Parse(s, &generate.Options{DynamicLocal: -1})
	if err != nil {
		t.Fatal(err)
	}
	fn, err := unit.Choose("")
	if err != nil {
		t.Fatal(err)
	}
	k, err := unit.Prepare(fn)
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := k.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	d, err := latencies.Builtin("rtx3090")
	if err != nil {
		t.Fatal(err)
	}
	m, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	warned := false
	p, err := Predict(context.Background(), g, Options{
		Mapper: m, Config: simulate.Config{Groups: 2, Profile: true}, Findings: true, Critical: true,
		Warn: func(diag.List) { warned = true },
	})
	if err != nil {
		t.Fatal(err)
	}
	if !warned {
		t.Error("the warnings of the mapping are not told")
	}
	return p
}

// TestWrite: every format says what the prediction has, in the same bytes each time, for several kernels, too.
func TestWrite(t *testing.T) {
	p := predict(t, "transpose-tiled")
	v := &View{Layout: sheet.Layout{Width: 80}, Findings: 3, Top: 3, Explain: true, Draw: true}
	time := sheet.Duration(p.Result.Seconds)
	for f, wants := range map[Format][]string{
		Text:     {p.Title(), time, "bank conflict", "Critical sequence", "Parameters", "Profile"},
		Markdown: {"## transpose", time, "- **saves", "### Profile"},
		CSV:      {"kernel,file,", "transpose_tiled,"},
		JSON:     {`"format": "pipesim"`, `"critical"`, `"instructions"`},
		Pprof:    nil,
		Trace:    {"traceEvents", "transpose_tiled: warps"},
		SARIF:    {"bank-conflicts"},
	} {
		var once, again bytes.Buffer
		for _, b := range []*bytes.Buffer{&once, &again} {
			if err := Write(b, f, []*Prediction{p, p}, v); err != nil {
				t.Fatalf("%v: %v", f, err)
			}
		}
		if once.Len() == 0 || !bytes.Equal(once.Bytes(), again.Bytes()) {
			t.Errorf("%v: %d bytes, then %d others", f, once.Len(), again.Len())
		}
		for _, want := range wants {
			if !strings.Contains(once.String(), want) {
				t.Errorf("%v lacks %q:\n%s", f, want, &once)
			}
		}
	}
}

// TestWriteAdvice: all findings are told in each form.
func TestWriteAdvice(t *testing.T) {
	p := predict(t, "transpose-tiled")
	for _, f := range []Format{Text, Markdown, JSON, SARIF} {
		var b bytes.Buffer
		if err := WriteAdvice(&b, f, []*Prediction{p}, &View{Layout: sheet.Layout{Width: 80}}); err != nil {
			t.Fatal(err)
		}
		for _, x := range p.Findings {
			if !strings.Contains(b.String(), x.Code) {
				t.Errorf("%v lacks %s:\n%s", f, x.Code, &b)
			}
		}
		if f == JSON && !json.Valid(b.Bytes()) {
			t.Errorf("no JSON:\n%s", &b)
		}
	}
	p.Findings = nil
	var b bytes.Buffer
	if err := WriteAdvice(&b, Text, []*Prediction{p}, &View{Layout: sheet.Layout{Width: 80}}); err != nil ||
		!strings.Contains(b.String(), NothingFound) {
		t.Errorf("%v\n%s", err, &b)
	}
}

// TestDocumentReadsBack: what is read of a document as JSON is the document.
func TestDocumentReadsBack(t *testing.T) {
	text, err := json.Marshal(predict(t, "transpose-tiled").Document(true))
	if err != nil {
		t.Fatal(err)
	}
	var back Document
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(&back); err != nil || !bytes.Equal(again, text) {
		t.Errorf("%v: %s instead of %s", err, again, text)
	}
	for _, x := range []string{"0", "1e-9", "7275170.333333333", "1e+15", "1e300"} {
		var n Number
		want, _ := strconv.ParseFloat(x, 64)
		if err := json.Unmarshal([]byte(x), &n); (err != nil) != (want > 1<<53) ||
			err == nil && math.Abs(n.Float()-want) > want*1e-15+1e-18 {
			t.Errorf("%s is read as %v, %v", x, n.Float(), err)
		}
	}
}
