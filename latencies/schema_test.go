package latencies

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"gpupipe/internal/test/tools"
)

// schemaKnows are the reader's complaints that a schema can know: what concerns one value or key by itself.
var schemaKnows = regexp.MustCompile(
	`has no (source|value|name$|[a-z_.]+$)|is empty|unknown key|must be (more than 0|a number|a whole number|text|a mapping|a list|true or false|one of)|non-negative number|without latency_source`)

// schemaDoesNotKnow are those among them that depend on the language YAML, on other keys, or on a length.
var schemaDoesNotKnow = regexp.MustCompile(`has no (subsystem |entry)|memory\.l[123] has no|the device has no`)

// TestSchemaAgrees: what the reader takes, the schema takes, and what the reader refuses for a value or a
// key by itself, the schema refuses. The documents are the built-in devices with one thing changed.
func TestSchemaAgrees(t *testing.T) {
	tools.Heavy(t)
	s := compileSchema(t, wholeDevice)
	files, err := fs.Glob(deviceFiles, "devices/*.yaml")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	seen := map[string]bool{}
	documents := 0
	for _, name := range files {
		data, err := deviceFiles.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := yaml.Unmarshal(data, &doc); err != nil {
			t.Fatal(err)
		}
		_, extends := doc["extends"]
		eachChange(doc, fmt.Sprint(extends), func(what string) bool {
			first := !seen[what]
			seen[what] = true
			return first
		}, func(what string) {
			documents++
			text, err := json.MarshalIndent(doc, "", " ") // JSON is YAML
			if err != nil {
				t.Fatal(err)
			}
			_, refused := ParseDevice("x.yaml", text)
			invalid := s.Validate(asJSON(t, text))
			if refused == nil && invalid != nil {
				t.Errorf("%s, %s: only the schema refuses: %v", name, what, invalid)
			}
			if refused != nil && invalid == nil {
				for line := range strings.Lines(refused.Error()) {
					if line = strings.TrimSpace(line); schemaKnows.MatchString(line) &&
						!schemaDoesNotKnow.MatchString(line) {
						t.Errorf("%s, %s: only the reader refuses: %s", name, what, line)
					}
				}
			}
		})
	}
	if documents < 1000 {
		t.Errorf("only %d documents", documents)
	}
}

// eachChange changes one thing in a document after the other, those that are asked for by their names.
func eachChange(v any, path string, wanted func(what string) bool, try func(what string)) {
	at := func(what string, change, restore func()) {
		if wanted(path + ": " + what) {
			change()
			try(path + ": " + what)
			restore()
		}
	}
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		at("unknown key", func() { v["unheard_of"] = 1 }, func() { delete(v, "unheard_of") })
		for _, k := range keys {
			old := v[k]
			restore := func() { v[k] = old }
			at("no "+k, func() { delete(v, k) }, restore)
			for _, other := range []any{0, json.Number("1e0"), json.Number("1E+0"), 0.5, -1, "1/2", "4/2", "2.0", "0/1",
				"0.0", "", "word", true, []any{1}, map[string]any{}, map[string]any{"value": 1},
				map[string]any{"value": 0, "source": "S"}} {
				text, _ := json.Marshal(other)
				at(k+" is "+string(text), func() { v[k] = other }, restore)
			}
			eachChange(old, path+"."+k, wanted, try)
		}
	case []any:
		for _, e := range v {
			eachChange(e, path+"[]", wanted, try)
		}
	}
}
