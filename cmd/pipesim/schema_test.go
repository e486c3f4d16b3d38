package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gpupipe/cmd/internal/test/script"
	"gpupipe/internal/difference"
	"gpupipe/internal/report"
	"gpupipe/latencies"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas are the documents with a published schema, docs/reference/schema/NAME.json, by their format, and a
// command that writes one.
var schemas = []struct {
	name     string
	document reflect.Type
	command  string
}{
	{"pipesim", reflect.TypeFor[report.Document](), "GRAPH --explain --critical"},
	{"pipesim-advice", reflect.TypeFor[report.Advice](), "advise GRAPH"},
	{"pipesim-whatif", reflect.TypeFor[whatIfDocument](), "whatif GRAPH global:hidden"},
	{"pipesim-diff", reflect.TypeFor[difference.Document](), "diff GRAPH OTHER"},
	{"pipesim-models", reflect.TypeFor[modelsDocument](), "models GRAPH"},
	{"pipesim-occupancy", reflect.TypeFor[occupancyDocument](), "occupancy GRAPH --groups 20"},
}

// TestSchemas: the published schemas are those of the documents, and what the commands write follows them.
func TestSchemas(t *testing.T) {
	dir := t.TempDir()
	graph := graphFile(t, dir, "graph.json", "--builtin", "transpose-tiled", "--gpu", "rtx3090")
	other := graphFile(t, dir, "other.json", "--builtin", "mmul")
	for _, s := range schemas {
		schema := schemaOf(s.document)
		schema["$schema"], schema["title"] = "https://json-schema.org/draft/2020-12/schema", s.name
		schema["properties"].(map[string]any)["format"] = map[string]any{"const": s.name}
		text, err := json.MarshalIndent(schema, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		script.Current(t, filepath.Join("../../docs/reference/schema", s.name+".json"), string(text)+"\n")
		c := jsonschema.NewCompiler()
		if err := c.AddResource(s.name, reread(t, string(text))); err != nil {
			t.Fatal(err)
		}
		compiled, err := c.Compile(s.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range [][2]string{{graph, other}, {other, graph}} {
			args := strings.Fields(strings.NewReplacer("GRAPH", g[0], "OTHER", g[1]).Replace(s.command))
			if err := compiled.Validate(reread(t, pipesim(t, nil, append(args, "--format", "json")...))); err != nil {
				t.Errorf("%s: %v", s.name, err)
			}
		}
	}
}

func reread(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// schemaOf is what encoding/json makes of a type.
func schemaOf(t reflect.Type) map[string]any {
	switch {
	case t == reflect.TypeFor[report.Number]():
		return map[string]any{"type": "number"}
	case t == reflect.TypeFor[latencies.Cycles]():
		return map[string]any{"type": []string{"number", "string"},
			"description": "cycles; a fraction without an exact decimal is a string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{schemaOf(t.Elem()), map[string]any{"type": "null"}}}
	case reflect.Struct:
		properties, required := map[string]any{}, []string{}
		for i := range t.NumField() {
			name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if name == "" {
				continue // not exported
			}
			of := t.Field(i).Type
			if options == "omitempty" && of.Kind() == reflect.Pointer {
				of = of.Elem()
			}
			if properties[name] = schemaOf(of); options == "" {
				required = append(required, name)
			}
		}
		return map[string]any{"type": "object", "properties": properties, "required": required,
			"additionalProperties": false}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Array:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64, reflect.Uint8, reflect.Uint32:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	}
	panic(fmt.Sprintf("no schema of %v", t))
}
