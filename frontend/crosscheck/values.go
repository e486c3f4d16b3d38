package crosscheck

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/preprocess"
	"gpupipe/internal/diag"

	"modernc.org/cc/v4"
)

// values compares the constants that the unit has, by their places, with cc's. Those that cc cannot compute without
// the types of OpenCL C are left out.
func (r *Result) values(other *outline, unit *ast.Unit) {
	known := map[diag.Pos][]int64{}
	for _, c := range unit.Constants {
		known[c.Pos] = append(known[c.Pos], c.Value)
	}
	got := evaluate(other.constants)
	for i, c := range other.constants {
		want, ok := known[c.pos]
		if !ok || got[i] == nil {
			continue
		}
		r.Constants++
		if !slices.Contains(want, *got[i]) {
			r.Differences.Add(differ(c.pos, fmt.Sprintf("%s = %d", c.text, want[0]),
				fmt.Sprintf("%s = %d", c.text, *got[i])))
		}
	}
}

// evaluate lets cc's type checker compute constants: each becomes an enumerator of a program that has only these.
func evaluate(list []constant) []*int64 {
	out := make([]*int64, len(list))
	var b strings.Builder
	b.WriteString("int __predefined_declarator;\n")
	count := map[string]int{}
	for _, c := range list {
		count[c.name]++
	}
	declared := map[string]bool{}
	for i, c := range list {
		switch {
		case !computable(c.text, declared) || c.name != "" && count[c.name] > 1:
		case c.name == "":
			fmt.Fprintf(&b, "enum { %s%d = %s };\n", wordValue, i, c.text)
		default:
			fmt.Fprintf(&b, "enum { %s = %s, %s%d = %s };\n", c.name, c.text, wordValue, i, c.name)
			declared[c.name] = true
		}
	}
	tree, err := guarded(func() (*cc.AST, error) {
		cfg, err := configuration()
		if err != nil {
			return nil, err
		}
		return cc.Translate(cfg, []cc.Source{{Name: sourceName, Value: b.String()}})
	})
	if err != nil {
		return out
	}
	collect(tree, out)
	return out
}

const wordValue = "kl_value_"

// collect reads the values of the enumerators that evaluate has named.
func collect(tree *cc.AST, out []*int64) {
	for u := tree.TranslationUnit; u != nil; u = u.TranslationUnit {
		if u.ExternalDeclaration.Case != cc.ExternalDeclarationDecl {
			continue
		}
		s := u.ExternalDeclaration.Declaration.DeclarationSpecifiers
		if s == nil || s.TypeSpecifier == nil || s.TypeSpecifier.EnumSpecifier == nil {
			continue
		}
		for l := s.TypeSpecifier.EnumSpecifier.EnumeratorList; l != nil; l = l.EnumeratorList {
			text, ok := strings.CutPrefix(l.Enumerator.Token.SrcStr(), wordValue)
			i, err := strconv.Atoi(text)
			if !ok || err != nil {
				continue
			}
			switch v := l.Enumerator.Value().(type) {
			case cc.Int64Value:
				n := int64(v)
				out[i] = &n
			case cc.UInt64Value:
				n := int64(v)
				out[i] = &n
			}
		}
	}
}

// wideShift is a shift by 32 and more, which OpenCL C takes modulo the width and C leaves open.
var wideShift = regexp.MustCompile(`(<<|>>) \(*(3[2-9]|[4-9]\d|\d{3,})`)

// constantWords are names, numbers and characters.
var constantWords = regexp.MustCompile(`[\w.']+`)

// computable reports whether all names of an expression are enumerators that cc has seen. Casts, sizes and calls need
// types that C does not have.
func computable(text string, declared map[string]bool) bool {
	for _, word := range constantWords.FindAllString(text, -1) {
		if c := word[0]; c >= '0' && c <= '9' || c == '\'' || declared[word] {
			continue
		}
		return false
	}
	return !strings.ContainsAny(text, "{\"") && !wideShift.MatchString(text)
}

// conditions compares the values of #if with those of cc's preprocessor.
func (r *Result) conditions(list []preprocess.Condition) {
	list = slices.DeleteFunc(slices.Clone(list), func(c preprocess.Condition) bool {
		return diag.IsLibrary(c.Pos.File)
	})
	if len(list) == 0 {
		return
	}
	answers, err := ask(list)
	if err != nil { // one that cc refuses hides the others
		for i := range list {
			if one, err := ask(list[i : i+1]); err == nil {
				r.condition(&list[i], one[0])
			}
		}
		return
	}
	for i := range list {
		r.condition(&list[i], answers[i])
	}
}

func (r *Result) condition(c *preprocess.Condition, same bool) {
	r.Conditions++
	if !same {
		r.Differences.Add(differ(c.Pos, fmt.Sprintf("#if %s is %v", spell(c.Tokens), c.Value), "another value"))
	}
}

// spell writes tokens apart, but for >> and >=, which are two tokens each.
func spell(tokens []preprocess.Token) string {
	var b strings.Builder
	for i := range tokens {
		if i > 0 && !(tokens[i-1].Is(">") && follows(&tokens[i]) && !tokens[i].Spaced) {
			b.WriteByte(' ')
		}
		b.WriteString(tokens[i].Text)
	}
	return b.String()
}

// ask reports for each condition whether cc computes the same value.
func ask(list []preprocess.Condition) ([]bool, error) {
	var text strings.Builder
	for _, c := range list {
		value := fmt.Sprint(c.Value.Int)
		if c.Value.Type.Kind == ctypes.ULong {
			value = fmt.Sprint(uint64(c.Value.Int), "u")
		}
		fmt.Fprintf(&text, "#if (%s) == (%s)\nyes\n#else\nno\n#endif\n", spell(c.Tokens), value)
	}
	out, err := guarded(func() (string, error) {
		cfg, err := configuration()
		if err != nil {
			return "", err
		}
		var b bytes.Buffer
		err = cc.Preprocess(cfg, []cc.Source{{Name: sourceName, Value: text.String()}}, &b)
		return b.String(), err
	})
	words := strings.Fields(out)
	if err == nil && len(words) != len(list) {
		err = fmt.Errorf("cc answers %d of %d conditions", len(words), len(list))
	}
	if err != nil {
		return nil, err
	}
	same := make([]bool, len(list))
	for i, w := range words {
		same[i] = w == "yes"
	}
	return same, nil
}
