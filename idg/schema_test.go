package idg

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	file, err := os.Open("schema/idg-v1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	const url = "urn:gpupipe:idg:1"
	if err := c.AddResource(url, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(url)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEncodeFollowsSchema(t *testing.T) {
	s := compiledSchema(t)
	for seed := range uint64(tools.Cases(200, 50)) {
		g := randomGraph(t, rand.New(rand.NewPCG(seed, 4)))
		if seed%10 == 0 {
			g = randomLoops(t, seed, 3)
		}
		for _, o := range []EncodeOptions{{}, {Fold: true}} {
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(encode(t, g, o)))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(v); err != nil {
				t.Fatalf("seed %d, %+v: %v", seed, o, err)
			}
		}
	}
}

// What the schema refuses, the reader refuses, and the other way round where
// a schema can tell.
func TestSchemaAndReaderAgree(t *testing.T) {
	s := compiledSchema(t)
	accept := []string{
		withCode(``), withCode(`{"i":1}`), withCode(`{"i":1,"d":[]}`), withCode(`{"repeat":2,"body":[{"i":2}]}`),
		withCode(`{"i":1},{"i":1,"D":[0]}`),
		withCode(`{"i":1},{"repeat":2,"body":[{"i":1,"d1":[1]},{"i":2,"C":[0],"o":[1]}]}`),
		edit(t, `"kernel":"k"`, `"kernel":"k","later":[1,null]`), edit(t, `"warps":[0]`, `"warps":[0],"nodes":1`),
	}
	refuse := []string{
		withCode(`{}`), withCode(`{"i":0}`), withCode(`{"i":1.5}`), withCode(`{"i":"1"}`),
		withCode(`{"i":1},{"i":1,"d":[0]}`),
		withCode(`{"i":1},{"i":1,"D":[-1]}`), withCode(`{"i":1},{"i":1,"O":0}`),
		withCode(`{"i":1},{"repeat":2,"body":[{"i":1,"c1":[0]}]}`),
		withCode(`{"repeat":2,"body":[{"i":1}],"d1":[]}`), withCode(`{"repeat":2,"body":[{"i":1}],"D":[]}`),
		withCode(`{"repeat":2}`), withCode(`{"body":[{"i":1}]}`), withCode(`{"repeat":0,"body":[{"i":1}]}`),
		withCode(`{"repeat":2,"body":[]}`), withCode(`{"repeat":2,"body":[{"i":1}],"i":1}`), withCode(`7`),
		edit(t, `"format":"idg"`, `"format":"x"`), edit(t, `"version":1`, `"version":2`), edit(t, `"version":1,`, ``),
		edit(t, `"kernel":"k",`, ``),
		edit(t, `"local":[32,1,1]`, `"local":[32,1]`), edit(t, `"local":[32,1,1]`, `"local":[32,1,1,1]`),
		edit(t, `"groups":[1,1,1]`, `"groups":[0,1,1]`),
		edit(t, `"warp_size":32`, `"warp_size":65`), edit(t, `"space":"global"`, `"space":"shared"`),
		edit(t, `"width":4`, `"width":0`),
		edit(t, `"assumed":"why"`, `"offsets":[]`), edit(t, `"assumed":"why"`, `"offsets":[-1]`),
		edit(t, `"op":"add.f32"`, `"op":""`),
		edit(t, `"warps":[0]`, `"warps":[]`), edit(t, `"loops":[]`, `"loops":[{"trips":-2}]`),
		edit(t, `"notes":[]`, `"notes":[{"code":"A"}]`),
		edit(t, `"loops":[]`, `"loops":[{"pos":{"file":"k.cl"}}]`),
		edit(t, `"resources":{}`, `"resources":{"registers":-1}`),
	}
	check := func(doc string, want bool) {
		t.Helper()
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); (err == nil) != want {
			t.Errorf("schema: %v\n%s", err, doc)
		}
		if _, err := Decode(strings.NewReader(doc), ""); (err == nil) != want {
			t.Errorf("reader: %v\n%s", err, doc)
		}
	}
	for _, doc := range accept {
		check(doc, true)
	}
	for _, doc := range refuse {
		check(doc, false)
	}
}
