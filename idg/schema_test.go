package idg

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaCheck says how a document breaks the schema.
func schemaCheck(t *testing.T) func(doc []byte) error {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile("schema/idg-v1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return func(doc []byte) error {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
		if err != nil {
			return err
		}
		return s.Validate(v)
	}
}

func TestEncodeFollowsSchema(t *testing.T) {
	broken := schemaCheck(t)
	for seed := range uint64(tools.Cases(200, 50)) {
		g := randomGraph(t, rand.New(rand.NewPCG(seed, 4)))
		if seed%10 == 0 {
			g = randomLoops(t, seed, 3)
		}
		for _, o := range []EncodeOptions{{}, {Fold: true}} {
			if err := broken(encode(t, g, o)); err != nil {
				t.Fatalf("seed %d, %+v: %v", seed, o, err)
			}
		}
	}
}

// What the schema refuses, the reader refuses, and the other way round where
// a schema can tell.
func TestSchemaAndReaderAgree(t *testing.T) {
	broken := schemaCheck(t)
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
		if err := broken([]byte(doc)); (err == nil) != want {
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
