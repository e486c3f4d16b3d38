package idg

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"gpupipe/internal/diag"
)

// document is a small valid document in a layout of its own; %s is the program's
// code.
const document = `{"format":"idg","version":1,"source":{"file":"k.cl"},"kernel":"k","level":"O2","compiler":"nvcc",
"launch":{"local":[32,1,1],"groups":[1,1,1],"warp_size":32},"resources":{},"loops":[],"branches":[],"notes":[],
"accesses":[{"space":"global","width":4,"assumed":"why"}],
"instructions":[{"op":"ld.global","lanes":32,"access":1},{"op":"add.f32","lanes":32}],
"warps":[{"warps":[0],"code":[
%s]}]}`

func withCode(code string) string { return strings.Replace(document, "%s", code, 1) }

// edit replaces a text that stands in the document once.
func edit(t *testing.T, old, new string) string {
	t.Helper()
	if strings.Count(document, old) != 1 {
		t.Fatalf("%q does not stand in the document once", old)
	}
	return strings.Replace(withCode(`{"i":1}`+"\n"), old, new, 1)
}

// rows prints a program: class and dependences of each instruction.
func rows(p *Program) string {
	var s []string
	for w := p.walk(); w.more(); w.next() {
		s = append(s, strings.TrimSpace(fmt.Sprintf("%d %s", p.StaticInstr(w.static), dependences(w.row()))))
	}
	return strings.Join(s, "; ")
}

// TestDocuments: documents one after the other are read one by one, with positions in the whole input.
func TestDocuments(t *testing.T) {
	one := withCode(`{"i":1}`)
	in,
		err := DecodeOptions{Name: "g.json"}.Documents(
		iotest.OneByteReader(strings.NewReader(one + "\n" + one + `{"format":"x"}`)))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if g, err := in.Next(); err != nil || g.Kernel != "k" {
			t.Fatal(g, err)
		}
	}
	if _, err := in.Next(); err == nil || !strings.HasPrefix(err.Error(), "g.json:12:") {
		t.Error(err)
	}
	in, _ = DecodeOptions{}.Documents(strings.NewReader(one + " "))
	_, first := in.Next()
	if _, err := in.Next(); first != nil || err != io.EOF {
		t.Error(first, err)
	}
}

func TestDecodeCode(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"empty", ``, ""},
		{"canonical", "{\"i\":1},\n{\"i\":2,\"d\":[1]},\n{\"i\":1,\"d\":[2],\"c\":[1]}\n",
			"1; 2 data 0; 1 data 0 control 1"},
		{"merged kinds", "{\"i\":1},\n{\"i\":1},\n{\"i\":1},\n{\"i\":2,\"d\":[2],\"c\":[1],\"o\":[3]}",
			"1; 1; 1; 2 data 1 control 2 order 0"},
		{"any order", `{"i":1},{"i":1},{"o":[1,2],"i":2}`, "1; 1; 2 order 0,1"},
		{"unknown keys", `{"why":{"a":[1,{"b":null}],"c":-1.5e+3},"i":1,"x":"\ud834\udd1e"},{"y":true,"i":2,"z":false}`,
			"1; 2"},
		{"empty lists", `{"i":1,"d":[],"o":[ ]}`, "1"},
		{"repeat", `{"i":1},{"repeat":3,"body":[{"i":2,"d":[1]}]}`, "1; 2 data 0; 2 data 1; 2 data 2"},
		{"repeat once", `{"repeat":1,"body":[{"i":2}]}`, "2"},
		{"body first", `{"body":[{"i":2}],"repeat":2}`, "2; 2"},
		{"nested", `{"repeat":2,"body":[{"i":1},{"repeat":2,"body":[{"i":2,"o":[1]}]}]},{"i":1,"d":[6]}`,
			"1; 2 order 0; 2 order 1; 1; 2 order 3; 2 order 4; 1 data 0"},
		{"absolute", "{\"i\":1},\n{\"i\":1},\n{\"i\":2,\"d\":[1],\"D\":[0]}", "1; 1; 2 data 0,1"},
		{"absolute, every kind", `{"i":1},{"i":1},{"i":1},{"i":2,"D":[2],"C":[0],"O":[1]}`,
			"1; 1; 1; 2 data 2 control 0 order 1"},
		{"absolute, indented", `{"i":1},{"i":1},{ "O" : [ 0 , 1 ], "i":2}`, "1; 1; 2 order 0,1"},
		{"stays and moves", "{\"i\":1},\n{\"i\":1},\n{\"repeat\":3,\"body\":[\n{\"i\":2,\"d\":[1],\"C\":[0]}\n]}",
			"1; 1; 2 data 1 control 0; 2 data 2 control 0; 2 data 3 control 0"},
		{"one overtakes the other", "{\"i\":1},\n{\"i\":1},\n{\"repeat\":3,\"body\":[\n{\"i\":1},\n" +
			"{\"i\":2,\"d\":[3],\"C\":[1]}\n]}",
			"1; 1; 1; 2 data 0 control 1; 1; 2 data 2 control 1; 1; 2 data 4 control 1"},
		{"absolute in nested bodies", `{"i":1},{"repeat":2,"body":[{"i":1},{"repeat":2,"body":[{"i":2,"O":[0]}]}]}`,
			"1; 1; 2 order 0; 2 order 0; 1; 2 order 0; 2 order 0"},
		{"from the inner body's beginning", "{\"i\":1},\n{\"repeat\":2,\"body\":[\n{\"i\":1},\n" +
			"{\"repeat\":2,\"body\":[\n{\"i\":2,\"d1\":[1],\"C\":[0]}\n]}\n]}",
			"1; 1; 2 data 1 control 0; 2 data 1 control 0; 1; 2 data 4 control 0; 2 data 4 control 0"},
		{"from the outer body's beginning",
			`{"i":1},{"repeat":2,"body":[{"i":1},{"repeat":2,"body":[{"i":2,"d2":[1],"o":[1]}]}]}`,
			"1; 1; 2 data 0 order 1; 2 data 0 order 2; 1; 2 data 0 order 4; 2 data 0 order 5"},
		{"holds end with their repetition",
			`{"i":1},{"repeat":2,"body":[{"i":2,"D":[0]}]},{"repeat":2,"body":[{"i":2,"d":[1]}]}`,
			"1; 2 data 0; 2 data 0; 2 data 2; 2 data 3"},
		{"a single execution has no repetition",
			`{"i":1},{"repeat":1,"body":[{"i":1},{"repeat":2,"body":[{"i":2,"d1":[1],"d2":[1]},{"repeat":1,"body":[{"i":1,"c1":[1],"o2":[1],"D":[0]}]}]}]}`,
			"1; 1; 2 data 0,1; 1 data 0 control 2 order 1; 2 data 0,1; 1 data 0 control 4 order 1"},
		{"repeat with space", " { \"repeat\" : 2 , \"body\" : [\t{\r\n\"i\" : 1 } ] } ", "1; 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := Decode(strings.NewReader(withCode(c.code)), "g.json")
			if err != nil {
				t.Fatal(err)
			}
			if got := rows(g.Programs()[0]); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// numbers lists the numbers from a to b, each behind a comma.
func numbers(a, b int) string {
	s := ""
	for n := a; n <= b; n++ {
		s += fmt.Sprint(",", n)
	}
	return s
}

func TestDecodeErrors(t *testing.T) {
	type row struct{ name, doc, want string }
	table := []row{
		{"empty", "", "g.json:1:1: error[IDG_SYNTAX]: the input is empty"},
		{"blank", " \n\n ", "g.json:3:2: error[IDG_SYNTAX]: the input is empty"},
		{"text", "error: no such kernel", `g.json:1:1: error[IDG_SYNTAX]: 'e' where an IDG document is expected`},
		{"other JSON", `{"cycles":1}`, `g.json:1:1: error[IDG_VERSION]: an IDG document lacks "format"`},
		{"other format", "{\n\"format\":\"pprof\"}",
			`g.json:2:10: error[IDG_VERSION]: the format is "pprof"; "idg" is expected`},
		{"no version", `{"format":"idg"}`, `g.json:1:1: error[IDG_VERSION]: an IDG document lacks "version"`},
		{"version 2", edit(t, `"version":1`, `"version":2`), "g.json:1:27: error[IDG_VERSION]: version 2 of the IDG " +
			"format; this program reads version 1\n\tmake the graph again"},
		{"version 1.0", edit(t, `"version":1`, `"version":1.0`),
			"error[IDG_SYNTAX]: the version must be a whole number"},
		{"version text", edit(t, `"version":1`, `"version":"1"`),
			`error[IDG_SYNTAX]: '"' where the version is expected`},
		{"trailing", withCode(`{"i":1}`) + "\n{}",
			`g.json:7:1: error[IDG_VERSION]: an IDG document lacks "format"`},
		{"section missing", edit(t, `"kernel":"k",`, ``),
			`g.json:1:1: error[IDG_BROKEN]: an IDG document lacks "kernel"`},
		{"section twice", edit(t, `"kernel":"k",`, `"kernel":"k","kernel":"k",`),
			`g.json:1:67: error[IDG_BROKEN]: an IDG document has "kernel" twice`},
		{"wrong type", edit(t, `"kernel":"k"`, `"kernel":7`),
			`error[IDG_SYNTAX]: '7' where the kernel's name is expected`},
		{"missing comma", edit(t, `"version":1,`, `"version":1`),
			`error[IDG_SYNTAX]: '"' where ',' or '}' is expected`},
		{"missing colon", edit(t, `"version":1,`, `"version"1,`), `error[IDG_SYNTAX]: '1' where ':' is expected`},
		{"trailing comma", edit(t, `"loops":[]`, `"loops":[{},]`), `error[IDG_SYNTAX]: ']' where a value is expected`},
		{"bad string", edit(t, `"kernel":"k"`, "\"kernel\":\"a\nb\""),
			`error[IDG_SYNTAX]: '\n' where a character of a string is expected`},
		{"bad escape", edit(t, `"kernel":"k"`, `"kernel":"\q"`), `error[IDG_SYNTAX]: 'q' where an escape is expected`},
		{"bad unicode", edit(t, `"kernel":"k"`, `"kernel":"\u12g4"`),
			`error[IDG_SYNTAX]: 'g' where a hexadecimal digit is expected`},
		{"bad literal", edit(t, `"resources":{}`, `"resources":{"x":nul}`),
			`error[IDG_SYNTAX]: '}' where a value is expected`},
		{"bad number", edit(t, `"resources":{}`, `"resources":{"x":01}`),
			`error[IDG_SYNTAX]: '1' where ',' or '}' is expected`},
		{"bad fraction", edit(t, `"resources":{}`, `"resources":{"x":1.}`),
			`error[IDG_SYNTAX]: '}' where a digit is expected`},
		{"leading zero", edit(t, `"resources":{}`, `"resources":{"registers":01}`),
			`error[IDG_SYNTAX]: the number of registers begins with a superfluous 0`},
		{"negative count", edit(t, `"resources":{}`, `"resources":{"registers":-1}`),
			`error[IDG_BROKEN]: the number of registers must be 0 to 2147483647, not -1`},
		{"huge count", edit(t, `"resources":{}`, `"resources":{"local_bytes":99999999999999999999}`),
			`error[IDG_BROKEN]: the number of bytes must be 0 to 9223372036854775807, not a number of 20 digits`},
		{"deep", edit(t, `"resources":{}`, `"resources":{"x":`+strings.Repeat("[", 1<<20)),
			`error[IDG_LIMIT]: more than 200 nested values`},
		{"dimensions", edit(t, `"local":[32,1,1]`, `"local":[32,1]`),
			`g.json:2:19: error[IDG_BROKEN]: the local size has 2 dimensions, not 3`},
		{"sizes", edit(t, `"local":[32,1,1]`, `"local":[32,0,1]`),
			`g.json:2:10: error[IDG_BROKEN]: launch sizes must be at least 1`},
		{"absurd sizes", edit(t, `"groups":[1,1,1]`, `"groups":[9223372036854775807,9223372036854775807,9]`),
			`g.json:2:10: error[IDG_BROKEN]: local size [32 1 1] in groups`},
		{"space", edit(t, `"space":"global"`, `"space":"shared"`),
			`g.json:3:22: error[IDG_BROKEN]: there is no address space "shared"`},
		{"offsets", edit(t, `"assumed":"why"`, `"offsets":[0,4]`),
			`g.json:4:17: error[IDG_BROKEN]: instruction class 1 (ld.global) has 32 active lanes but access 1 has offsets for 2`},
		{"many offsets", edit(t, `"assumed":"why"`, `"offsets":[0`+strings.Repeat(",0", 64)+`]`),
			`error[IDG_BROKEN]: an access has offsets for more than 64 lanes`},
		{"not normalised", edit(t, `"assumed":"why"`, `"offsets":[256]`),
			`g.json:3:13: error[IDG_BROKEN]: access 1 is not normalised`},
		{"no op", edit(t, `"op":"add.f32",`, ``), `g.json:4:58: error[IDG_BROKEN]: an instruction class lacks "op"`},
		{"access", edit(t, `"access":1`, `"access":2`), `g.json:4:55: error[IDG_BROKEN]: access 2 of 1`},
		{"lanes", edit(t, `"add.f32","lanes":32`, `"add.f32","lanes":33`),
			`g.json:4:58: error[IDG_BROKEN]: instruction class 2 (add.f32) has 33 active lanes of 32`},
		{"warp", edit(t, `"warps":[0]`, `"warps":[1]`),
			`g.json:5:10: error[IDG_BROKEN]: program 0 lists warp 1; a group of 32 work items has 1`},
		{"warp order", edit(t, `"warps":[0]`, `"warps":[1,0]`),
			`g.json:5:22: error[IDG_BROKEN]: warp 0 is listed after warp 1`},
		{"negative warp", edit(t, `"warps":[0]`, `"warps":[-1]`),
			`error[IDG_BROKEN]: a warp must be 0 to 1048575, not -1`},
		{"no warps", edit(t, `"warps":[0]`, `"warps":[]`), `error[IDG_BROKEN]: program 0 lists no warps`},
		{"no programs", strings.Split(document, `"warps"`)[0] + `"warps":[]}`,
			"g.json:1:1: error[IDG_BROKEN]: the graph has no program"},
		{"nodes", edit(t, `"warps":[0]`, `"nodes":2,"warps":[0]`),
			`g.json:5:19: error[IDG_BROKEN]: the program has 1 instructions, not 2`},
		{"false nodes", edit(t, `"warps":[0]`, `"nodes":1000000000000,"warps":[0]`),
			`error[IDG_BROKEN]: the program has 1 instructions, not 1000000000000`},
	}
	for _, c := range []row{
		{"class", "{\"i\":1},\n{\"i\":3}", "g.json:7:6: error[IDG_BROKEN]: instruction class 3 of 2"},
		{"class 0", `{"i":0}`, "g.json:6:6: error[IDG_BROKEN]: instruction class must be 1 to 4294967295, not 0"},
		{"huge class", `{"i":4294967297}`, "must be 1 to 4294967295, not 4294967297"},
		{"no class", `{"d":[]}`, `g.json:6:1: error[IDG_BROKEN]: an instruction lacks "i"`},
		{"distance 0", "{\"i\":1},\n{\"i\":2,\"d\":[0]}",
			"g.json:7:13: error[IDG_BROKEN]: a distance must be 1 to 9223372036854775807, not 0"},
		{"negative distance", "{\"i\":1},\n{\"i\":2,\"c\":[-1]}",
			"g.json:7:13: error[IDG_BROKEN]: a distance must be 1 to"},
		{"distance", "{\"i\":1},\n{\"i\":2,\"d\":[1,2]}",
			"g.json:7:15: error[IDG_BROKEN]: the distance 2 from instruction 1 reaches before the program's start"},
		{"twice", "{\"i\":1},\n{\"i\":2,\"d\":[1],\"o\":[1]}",
			"g.json:7:1: error[IDG_BROKEN]: instruction 1 depends twice on the same instruction"},
		{"absolute", "{\"i\":1},\n{\"i\":2,\"D\":[0,1]}",
			"g.json:7:15: error[IDG_BROKEN]: instruction 1 depends on instruction 1, which is not before it"},
		{"huge absolute", "{\"i\":1},\n{\"i\":2,\"C\":[9223372036854775807]}",
			"g.json:7:13: error[IDG_BROKEN]: instruction 1 depends on instruction 9223372036854775807, which"},
		{"negative absolute", "{\"i\":1},\n{\"i\":2,\"O\":[-1]}",
			"g.json:7:13: error[IDG_BROKEN]: an instruction's number must be 0 to"},
		{"absolute 00", "{\"i\":1},\n{\"i\":2,\"D\":[00]}",
			"g.json:7:13: error[IDG_SYNTAX]: an instruction's number begins with a superfluous 0"},
		{"absolute twice", "{\"i\":1},\n{\"i\":2,\"d\":[1],\"D\":[0]}",
			"g.json:7:1: error[IDG_BROKEN]: instruction 1 depends twice on the same instruction"},
		{"absolute kind twice", "{\"i\":1},\n{\"i\":2,\"D\":[0],\"D\":[0]}",
			`g.json:7:16: error[IDG_BROKEN]: an instruction has "D" twice`},
		{"absolute in body", `{"repeat":3,"body":[{"i":1},{"i":1,"D":[1]}]}`,
			"g.json:6:41: error[IDG_BROKEN]: instruction 1 depends on instruction 1, which is not before it"},
		{"they meet", `{"i":1},{"i":1},` + "\n" + `{"repeat":3,"body":[{"i":1,"d":[2],"C":[1]}]}`,
			"g.json:7:1: error[IDG_BROKEN]: instruction 3, of a later repetition, depends twice on the same " +
				"instruction"},
		{"body distance outside", "{\"i\":1},\n{\"i\":2,\"d1\":[1]}",
			`g.json:7:13: error[IDG_BROKEN]: "d1" counts from enclosing repetition 1 (1 = innermost) of 0`},
		{"body distance too far out", `{"i":1},{"repeat":2,"body":[{"i":2,"o2":[1]}]}`,
			`g.json:6:41: error[IDG_BROKEN]: "o2" counts from enclosing repetition 2 (1 = innermost) of 1`},
		{"body distance", `{"i":1},{"repeat":2,"body":[{"i":1},{"i":2,"c1":[2]}]}`,
			"g.json:6:50: error[IDG_BROKEN]: the distance 2 from instruction 1 reaches before the program's start"},
		{"no comma", `{"i":1} {"i":1}`, "g.json:6:9: error[IDG_SYNTAX]: '{' where ',' or ']' is expected"},
		{"two brackets", `{"i":1},{"i":1},{"i":2,"d":[1[2]}`,
			"g.json:6:30: error[IDG_SYNTAX]: '[' where ',' or ']' is expected"},
		{"kind twice", `{"i":1},{"i":2,"d":[1],"d":[1]}`,
			`g.json:6:24: error[IDG_BROKEN]: an instruction has "d" twice`},
		{"repeat 0", `{"repeat":0,"body":[{"i":1}]}`,
			"error[IDG_BROKEN]: the number of repetitions must be 1 to 9223372036854775807, not 0"},
		{"negative repeat", `{"repeat":-3,"body":[{"i":1}]}`,
			"error[IDG_BROKEN]: the number of repetitions must be 1 to"},
		{"no body", `{"repeat":3}`, `g.json:6:1: error[IDG_BROKEN]: a repetition needs both "repeat" and "body"`},
		{"no count", `{"body":[{"i":1}]}`, `a repetition needs both "repeat" and "body"`},
		{"empty body", `{"repeat":3,"body":[]}`, "g.json:6:1: error[IDG_BROKEN]: a repetition's body is empty"},
		{"both", `{"repeat":3,"i":1,"body":[{"i":1}]}`,
			"g.json:6:1: error[IDG_BROKEN]: one element is both an instruction and a repetition"},
		{"both, body first", `{"body":[{"i":1}],"repeat":3,"i":1}`, "one element is both"},
		{"distance in body", `{"repeat":3,"body":[{"i":1,"d":[1]}]}`,
			"g.json:6:33: error[IDG_BROKEN]: the distance 1 from instruction 0"},
		{"long", `{"i":1},` + "\n" + `{"repeat":4398046511104,"body":[{"i":1}]}`,
			"g.json:7:1: error[IDG_LIMIT]: more than 4398046511104 instructions with repetitions expanded\n" +
				"\tsmaller trip counts"},
		{"overflow", `{"repeat":9223372036854775807,"body":[{"i":1},` + "\n" +
			`{"repeat":9223372036854775807,"body":[{"i":1}]}]}`,
			"g.json:7:1: error[IDG_LIMIT]: more than 4398046511104 instructions"},
		{"nested overflow", `{"repeat":4000000,"body":[{"repeat":4000000,"body":[{"i":1}]}]}`,
			"g.json:6:1: error[IDG_LIMIT]: more than 4398046511104 instructions"},
		{"long rows", strings.Repeat("{\"i\":1},", 100) + `{"repeat":4398046511003,"body":[{"i":1,"d":[1` + numbers(2,
			100) + `]}]}`, "g.json:6:801: error[IDG_LIMIT]: more than 281474976710656 dependences"},
		{"nodes in bodies", strings.Repeat("{\"repeat\":2,\"body\":[{\"i\":1}]},\n", 1000) + `{"i":1}`,
			"g.json:1006:1: error[IDG_LIMIT]: more than 1000 instructions"},
		{"plain nodes", strings.Repeat("{\"i\":1},\n", 1000) + `{"i":1}`,
			"g.json:1006:1: error[IDG_LIMIT]: more than 1000 instructions"},
		{"plain edges", `{"i":1},{"i":1},{"i":1},{"i":1},{"i":1},` + "\n" +
			strings.Repeat("{\"i\":1,\"d\":[5,4,3,2,1]},\n", 800) + `{"i":1,"d":[1]}`,
			"g.json:807:13: error[IDG_LIMIT]: more than 4000 dependences"},
		{"nested repeats", strings.Repeat(`{"repeat":1,"body":[`, 1000) + `{"i":1}` + strings.Repeat("]}", 1000),
			"error[IDG_LIMIT]: more than 64 nested repetitions"},
	} {
		table = append(table, row{"code/" + c.name, withCode(c.doc), c.want})
	}
	for _, c := range table {
		t.Run(c.name, func(t *testing.T) {
			_, err := DecodeOptions{Name: "g.json", MaxNodes: 1000}.Decode(strings.NewReader(c.doc))
			var d *diag.Error
			if !errors.As(err, &d) || !d.Pos.IsValid() || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// Every prefix of a document is an error with a position, never a graph.
func TestDecodeTruncated(t *testing.T) {
	doc := withCode("{\"i\":1},\n{\"repeat\":2,\"body\":[\n{\"i\":2,\"d\":[1]}\n]}\n")
	for n := range len(doc) {
		_, err := Decode(strings.NewReader(doc[:n]), "g.json")
		var d *diag.Error
		if !errors.As(err, &d) || !d.Pos.IsValid() || d.Code != CodeSyntax {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
}

// A broken byte is an error or a graph that verifies, never a panic.
func TestDecodeMutilated(t *testing.T) {
	doc := []byte(withCode("{\"i\":1},\n{\"i\":1},\n{\"repeat\":2,\"body\":[\n{\"i\":2,\"d\":[1],\"C\":[0]},\n" +
		"{\"i\":2,\"d1\":[1]}\n]}\n"))
	for i := range doc {
		for _, c := range []byte("{}[]\",:019-e\\n dDcO \x00\xff") {
			broken := bytes.Clone(doc)
			broken[i] = c
			g, err := Decode(bytes.NewReader(broken), "")
			if err == nil {
				err = g.Verify()
			}
			if (err == nil) != (g != nil) {
				t.Fatalf("byte %d is %q: graph %v, error %v", i, c, g, err)
			}
			if err == nil && !json.Valid(broken) {
				t.Fatalf("byte %d is %q: accepted what is not JSON", i, c)
			}
		}
	}
}

func TestDecodeReadError(t *testing.T) {
	r := io.MultiReader(strings.NewReader("{\"format\":\"idg\",\n"), iotest.ErrReader(errors.New("disk on fire")))
	_, err := Decode(r, "")
	if want := "<stdin>:2:1: error[IDG_READ]: cannot read: disk on fire"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = Decode(stuck{}, "")
	if err == nil || !strings.Contains(err.Error(), io.ErrNoProgress.Error()) {
		t.Errorf("a reader that gives nothing: %v", err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestDecodeOptionsValidate(t *testing.T) {
	for _, o := range []DecodeOptions{{MaxNodes: -1}, {MaxEdges: -1}} {
		if _, err := o.Decode(strings.NewReader(withCode(""))); err == nil {
			t.Errorf("%+v accepted", o)
		}
	}
	if _, err := (DecodeOptions{MaxNodes: math.MaxInt64}).Decode(strings.NewReader(withCode(""))); err != nil {
		t.Error(err)
	}
}

// Reading in pieces of any size gives the same graph and the same positions.
func TestDecodeInPieces(t *testing.T) {
	for seed := range uint64(30) {
		g := randomGraph(t, rand.New(rand.NewPCG(seed, 3)))
		var doc bytes.Buffer
		if err := Encode(&doc, g); err != nil {
			t.Fatal(err)
		}
		got, err := Decode(iotest.OneByteReader(bytes.NewReader(doc.Bytes())), "")
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if d := diff(g, got); d != "" {
			t.Fatalf("seed %d: -want +got\n%s", seed, d)
		}
		bad := strings.TrimSuffix(doc.String(), "\n}\n")
		_, whole := Decode(strings.NewReader(bad), "")
		_, piecewise := Decode(iotest.OneByteReader(strings.NewReader(bad)), "")
		if whole == nil || piecewise == nil || whole.Error() != piecewise.Error() {
			t.Fatalf("seed %d: %v in one piece, %v in bytes", seed, whole, piecewise)
		}
	}
}

// Lines that reach over the reader's window, of a barrier that waits for
// thousands of instructions, are read like others.
func TestDecodeLongLines(t *testing.T) {
	b := NewBuilder()
	add, barrier := b.Instr(Instr{Op: "add.f32", Lanes: 32}), b.Instr(Instr{Op: "barrier", Lanes: 32})
	b.Begin(0)
	var edges []Edge
	for i := range 20000 {
		edges = append(edges, Edge{b.Add(add), EdgeKind(1 + i%3)})
		if i%500 == 0 {
			b.Add(barrier, edges...)
		}
	}
	g := build(t, b, header(1))
	var doc bytes.Buffer
	if err := Encode(&doc, g); err != nil {
		t.Fatal(err)
	}
	got, err := Decode(&doc, "")
	if err != nil {
		t.Fatal(err)
	}
	if d := diff(g, got); d != "" {
		t.Error("the graph has changed")
	}
}

// A document that claims to be large takes no more memory than it is worth.
func TestDecodeMemoryFollowsInput(t *testing.T) {
	doc := strings.Replace(withCode(strings.Repeat("{\"i\":1},\n", 99)+`{"i":1}`), `"warps":[0]`,
		`"nodes":40000000,"warps":[0]`, 1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Decode(strings.NewReader(doc), ""); err == nil {
		t.Fatal("accepted")
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 4*windowSize {
		t.Errorf("%d bytes allocated for a document of %d", got, len(doc))
	}
}

// Surrogates and what is not UTF-8 are read as encoding/json reads them.
func TestDecodeStringsLikeEncodingJSON(t *testing.T) {
	for _, s := range []string{
		`"\u0041\u00e9\u20AC"`, `"\ud834\udd1e"`, `"\ud834"`, `"\udd1e"`, `"\ud834x"`, `"\ud834\n"`,
		`"\ud834\ud834\udd1e"`, `"\ud834\u0041"`,
		"\"a\xff\xfeb\"", "\"\xc3\"", `"\"\\\/\b\f\n\r\t"`, "\"\u2028\x7f\"",
	} {
		var want string
		if err := json.Unmarshal([]byte(s), &want); err != nil {
			t.Fatal(err)
		}
		g, err := Decode(strings.NewReader(edit(t, `"kernel":"k"`, `"kernel":`+s)), "")
		if err != nil {
			t.Errorf("%s: %v", s, err)
		} else if g.Kernel != want {
			t.Errorf("%s: read as %q, want %q", s, g.Kernel, want)
		}
	}
}
