package latencies

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"gpupipe/internal/diag"
)

// Bounds of what is handed to the YAML parser, far beyond any device file. They
// keep deliberately nested input from exhausting its stack.
const (
	maxFileBytes  = 256 << 10
	maxLineBytes  = 2000
	maxIndent     = 64
	maxFlowNested = 16
)

// parseYAML reads the single YAML document of a file into its mapping.
func parseYAML(file string, data []byte) (m *ast.MappingNode, err error) {
	if e := checkShape(file, data); e != nil {
		return nil, e
	}
	defer func() {
		// The parser is third-party code and the input is not trusted: a crash in it
		// is a syntax error here.
		if r := recover(); r != nil {
			m, err = nil, diag.Errorf(diag.Pos{File: file, Line: 1}, "YAML", "the file cannot be parsed as YAML: %v", r)
		}
	}()
	f, perr := parser.ParseBytes(data, 0)
	if perr != nil {
		return nil, syntaxError(file, perr)
	}
	var body ast.Node
	for _, d := range f.Docs {
		if d.Body == nil {
			continue
		}
		if body != nil {
			return nil, diag.Errorf(nodePos(file, d.Body), "YAML",
				"a device file holds one document; this is a second one")
		}
		body = d.Body
	}
	if body == nil {
		return nil, diag.Errorf(diag.Pos{File: file, Line: 1, Column: 1}, "YAML", "the file is empty")
	}
	m, ok := asMapping(body)
	if !ok {
		return nil, diag.Errorf(nodePos(file, body), "YAML",
			"a device file is a mapping (version: 1, name: ...), not %s", kindOf(body))
	}
	return m, nil
}

func checkShape(file string, data []byte) *diag.Error {
	if len(data) > maxFileBytes {
		return diag.Errorf(diag.Pos{File: file, Line: 1}, "YAML", "the file has %d bytes; a device file has at most %d",
			len(data), maxFileBytes)
	}
	nested, line := 0, 0
	for text := range bytes.Lines(data) {
		line++
		pos := diag.Pos{File: file, Line: line}
		if len(text) > maxLineBytes {
			return diag.Errorf(pos, "YAML", "the line has %d bytes; at most %d are accepted", len(text), maxLineBytes)
		}
		if indent := len(text) - len(bytes.TrimLeft(text, " -?")); indent > maxIndent {
			pos.Column = maxIndent
			return diag.Errorf(pos, "YAML", "nested deeper than any device file")
		}
		for i, c := range text {
			switch c {
			case '[', '{':
				nested++
			case ']', '}':
				nested = max(nested-1, 0)
			case 0:
				pos.Column = i + 1
				return diag.Errorf(pos, "YAML", "the file holds a NUL byte: it is not text")
			}
			if nested > maxFlowNested {
				pos.Column = i + 1
				return diag.Errorf(pos, "YAML", "brackets nested deeper than %d", maxFlowNested)
			}
		}
	}
	return nil
}

func syntaxError(file string, err error) *diag.Error {
	var e yaml.Error
	if errors.As(err, &e) {
		return diag.Errorf(tokenPos(file, e.GetToken()), "YAML", "%s", e.GetMessage())
	}
	return diag.Errorf(diag.Pos{File: file, Line: 1}, "YAML", "%v", err)
}

func nodePos(file string, n ast.Node) diag.Pos {
	if n == nil {
		return diag.Pos{File: file, Line: 1}
	}
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		return nodePos(file, m.Values[0])
	}
	if v, ok := n.(*ast.MappingValueNode); ok {
		return nodePos(file, v.Key)
	}
	return tokenPos(file, n.GetToken())
}

func tokenPos(file string, t *token.Token) diag.Pos {
	if t == nil || t.Position == nil {
		return diag.Pos{File: file, Line: 1}
	}
	return diag.Pos{File: file, Line: max(t.Position.Line, 1), Column: max(t.Position.Column, 0)}
}

func asMapping(n ast.Node) (*ast.MappingNode, bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n, true
	case *ast.MappingValueNode:
		return &ast.MappingNode{Start: n.GetToken(), Values: []*ast.MappingValueNode{n}}, true
	}
	return nil, false
}

// scalar is the text of a scalar node, without quotes; false for everything
// else, null included.
func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return strings.TrimSpace(n.Value.Value), true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

func kindOf(n ast.Node) string {
	if n == nil {
		return "nothing"
	}
	return fmt.Sprintf("a %s", strings.ToLower(n.Type().YAMLName()))
}
