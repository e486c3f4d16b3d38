package page

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/generate"
	"gpupipe/internal/report"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// graphOf is the graph of a built-in kernel.
func graphOf(t testing.TB, builtin string) *idg.Graph {
	t.Helper()
	s, err := generate.Builtin(builtin, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolve(t, s)
}

// resolve is the graph of a source's only kernel.
func resolve(t testing.TB, s *generate.Source) *idg.Graph {
	t.Helper()
	p, err := generate.Parse(s, &generate.Options{DynamicLocal: -1})
	if err != nil {
		t.Fatal(err)
	}
	fn, err := p.Choose("")
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Prepare(fn)
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := k.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// predict is the prediction of a graph for the default device.
func predict(t testing.TB, g *idg.Graph) *report.Prediction {
	t.Helper()
	return predictOn(t, g, latencies.Default)
}

// predictOn is the prediction of a graph for a device.
func predictOn(t testing.TB, g *idg.Graph, gpu string) *report.Prediction {
	t.Helper()
	d, err := latencies.Builtin(gpu)
	if err != nil {
		t.Fatal(err)
	}
	m, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := report.Predict(context.Background(), g, report.Options{Mapper: m, Config: simulate.Config{},
		Findings: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pageOf is the page of a prediction, and the name of a file that holds it.
func pageOf(t testing.TB, p *report.Prediction, o Options) (d *Data, file string) {
	t.Helper()
	d, err := New(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteHTML(&b, d); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return d, file
}

// TestListsAreNotNull holds that scripts find a list where Go has one.
func TestListsAreNotNull(t *testing.T) {
	d, _ := pageOf(t, predict(t, graphOf(t, "fig1")), Options{})
	noNil(t, "Data", reflect.ValueOf(d).Elem())
}

func noNil(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			t.Errorf("%s is null", path)
		}
		for i := range v.Len() {
			noNil(t, path+"[]", v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			noNil(t, path, v.Elem())
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[report.Document]() {
			return
		}
		for i, f := range v.Fields() {
			noNil(t, path+"."+i.Name, f)
		}
	}
}

// TestHostileText holds that texts of a graph end neither the data nor the page.
func TestHostileText(t *testing.T) {
	d := &Data{Title: `</title><script>alert(1)</script>`, Source: []string{`</script><script>alert(1)</script>`,
		"\x1b[2J \u202e <!-- <script>"}}
	var b bytes.Buffer
	if err := WriteHTML(&b, d); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if n := strings.Count(text, "</script"); n != 2 {
		t.Errorf("%d scripts end, not 2", n)
	}
	for _, bad := range []string{"<script>alert", "\x1b", "<!--"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	start := strings.Index(text, `id="data">`) + len(`id="data">`)
	var back []struct{ Source []string }
	if err := json.Unmarshal([]byte(text[start:start+strings.Index(text[start:], "</script>")]), &back); err != nil ||
		back[0].Source[0] != d.Source[0] {
		t.Errorf("the data reads back as %q: %v", back, err)
	}
}
