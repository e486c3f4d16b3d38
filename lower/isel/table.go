package isel

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// table is what is known of the instructions of an ISA: data/<isa>.yaml.
type table struct {
	rows map[string]instrRow // by mnemonic
	ops  map[string][]operationRow
	// aliases are the names that instructions have on some targets.
	aliases map[string]alias
	text    []byte
	named   sync.Map // by key: whether the text has it
	// later has operations that few kernels have and that take long to read: it is read for one that its text names,
	// and the table has no row for. nil: there is none.
	later func() *table
}

type alias struct {
	to   string
	when []string
}

// instrRow is an instruction: its class of package isa, and what executes it.
type instrRow struct{ class, pipe string }

// operationRow says what an operation becomes on targets that have all of some features.
type operationRow struct {
	when     []string
	accuracy lower.Accuracy // 0: any
	template *template
}

//go:embed data/*.yaml
var tablesYAML embed.FS

var tableOnce = map[string]func() (*table, error){
	"sass": sync.OnceValues(func() (*table, error) { return readTables("sass", "sass_math") }),
	"gcn":  sync.OnceValues(func() (*table, error) { return readTable("gcn") }),
}

// loadTable reads the table of an ISA, once.
func loadTable(isa string) (*table, error) {
	read, ok := tableOnce[isa]
	if !ok {
		return nil, fmt.Errorf("no table of %s", isa)
	}
	return read()
}

// readTables reads a table, and another one later.
func readTables(name, later string) (*table, error) {
	t, err := readTable(name)
	if err != nil {
		return nil, err
	}
	text, err := tablesYAML.ReadFile("data/" + later + ".yaml")
	t.text, t.later = text, sync.OnceValue(func() *table {
		l, err := readTable(later)
		if err != nil {
			panic(err)
		}
		return l
	})
	return t, err
}

// tableFile is what a file of tables says.
type tableFile struct {
	Sources      map[string]string    `yaml:"sources"`
	Instructions map[string][2]string `yaml:"instructions"`
	Aliases      []struct {
		From   string   `yaml:"from"`
		To     string   `yaml:"to"`
		When   []string `yaml:"when"`
		Source string   `yaml:"source"`
	} `yaml:"aliases"`
	Routines   map[string]string `yaml:"routines"`
	Operations []struct {
		IR       string   `yaml:"ir"`
		Calls    string   `yaml:"calls"`
		Inlines  string   `yaml:"inlines"`
		Executes string   `yaml:"executes"`
		When     []string `yaml:"when"`
		Accuracy string   `yaml:"accuracy"`
		Do       string   `yaml:"do"`
		Source   string   `yaml:"source"`
	} `yaml:"operations"`
}

func readTable(name string) (*table, error) {
	t := &table{rows: map[string]instrRow{}, ops: map[string][]operationRow{}, aliases: map[string]alias{}}
	data, err := tablesYAML.ReadFile("data/" + name + ".yaml")
	if err != nil {
		return nil, err
	}
	var file tableFile
	if err := yaml.UnmarshalWithOptions(data, &file, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%s.yaml: %w", name, err)
	}
	for op, r := range file.Instructions {
		t.rows[op] = instrRow{r[0], r[1]}
	}
	for _, a := range file.Aliases {
		t.aliases[a.From] = alias{a.To, a.When}
		if _, ok := t.rows[a.To]; !ok { // another name of the same instruction
			t.rows[a.To] = t.describe(a.From)
		}
	}
	routines, paths := map[string]*machine.Routine{}, map[string]*inlined{}
	for name, ops := range file.Routines {
		if routines[name], err = parseRoutine(name, ops); err != nil {
			return nil, err
		}
	}
	find := func(ir, routine string) *machine.Routine {
		r := routines[routine]
		if r == nil && routine != "" {
			err = fmt.Errorf("%s.yaml: %s: no routine %s", name, ir, routine)
		}
		return r
	}
	for _, o := range file.Operations {
		row := operationRow{when: o.When}
		for a := lower.Rounded; a <= lower.Fast; a++ {
			if a.String() == o.Accuracy {
				row.accuracy = a
			}
		}
		if row.template, err = parseTemplate(o.Do); err != nil {
			return nil, fmt.Errorf("%s.yaml: %s: %w", name, o.IR, err)
		}
		row.template.calls, row.template.executes = find(o.IR, o.Calls), find(o.IR, o.Executes)
		if o.Inlines != "" {
			if paths[o.Inlines] == nil {
				paths[o.Inlines] = &inlined{several: find(o.IR, o.Inlines), alone: find(o.IR, o.Inlines+" alone")}
			}
			row.template.inlines = paths[o.Inlines]
		}
		if err != nil {
			return nil, err
		}
		for key := range strings.FieldsSeq(o.IR) {
			t.ops[key] = append(t.ops[key], row)
		}
	}
	for _, rows := range t.ops {
		slices.SortStableFunc(rows, func(a, b operationRow) int {
			return cmp.Compare(min(b.accuracy, 1), min(a.accuracy, 1))
		})
	}
	return t, nil
}

// parseRoutine reads mnemonics, each with the number of its instructions where that is not one: "BSSY*2 LEA".
func parseRoutine(name, text string) (*machine.Routine, error) {
	r := &machine.Routine{Name: name}
	for word := range strings.FieldsSeq(text) {
		op, times, many := strings.Cut(word, "*")
		n := 1
		if many {
			var err error
			if n, err = strconv.Atoi(times); err != nil {
				return nil, fmt.Errorf("routine %s: %s: %w", name, word, err)
			}
		}
		r.Ops, r.Counts = append(r.Ops, op), append(r.Counts, n)
	}
	return r, nil
}

// describe finds an instruction by its mnemonic, else by as many of its words as the table knows.
func (t *table) describe(op string) instrRow {
	for {
		if r, ok := t.rows[op]; ok {
			return r
		}
		i := strings.LastIndexAny(op, "._")
		if i < 0 {
			return instrRow{"", "alu"}
		}
		op = op[:i]
	}
}

// find is the template for an operation, nil where the table has none: the first row for it of which the
// target has all features. Rows of an accuracy stand before those of any.
func (t *table) find(key string, g *Target, a lower.Accuracy) *template {
	for _, r := range t.ops[key] {
		if r.accuracy != 0 && r.accuracy != a {
			continue
		}
		if hasAll(g, r.when) {
			return r.template
		}
	}
	if t.later != nil && t.names(key) {
		return t.later().find(key, g, a)
	}
	return nil
}

// names reports whether the text of the table that is read later has a key.
func (t *table) names(key string) bool {
	has, ok := t.named.Load(key)
	if !ok {
		has = bytes.Contains(t.text, []byte(key))
		t.named.Store(key, has)
	}
	return has.(bool)
}

// functionType is the type by which the tables have a function: that of what it reads where it counts bits, as C's
// result is an int.
func functionType(in *ir.Instr) lower.Type {
	if len(in.Args) == 1 && in.Type.IsInteger() {
		if t := in.Args[0].Type; t.IsInteger() && t.Size() > in.Type.Size() {
			return t
		}
	}
	return in.Type
}

// hasAll reports whether a target has all of some features, "not f" meaning that it has not.
func hasAll(g *Target, features []string) bool {
	for _, f := range features {
		no, not := strings.CutPrefix(f, "not ")
		if not && g.Has(no) || !not && !g.Has(f) {
			return false
		}
	}
	return true
}

// name is what an instruction is called on a target.
func (t *table) name(op string, g *Target) string {
	if a, ok := t.aliases[op]; ok && hasAll(g, a.when) {
		return a.to
	}
	return op
}
