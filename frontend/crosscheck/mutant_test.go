package crosscheck

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"gpupipe/frontend/preprocess"
	"gpupipe/frontend/resolve"
)

// mutants is how many one-token changes are tried.
const mutants = 500

// exchanged are tokens that stand for others: bounds, operators of another precedence, words of pragmas.
var exchanged = map[string]string{"<": "<=", "<=": "<", "+": "*", "*": "+", "-": "<<", "<<": "-", "&": "==", "==": "&",
	"&&": "||", "||": "&&", "++": "--", "+=": "-=", "if": "while", "break": "continue", "unroll": "nounroll", "%": "|",
	"float": "double", "int": "uint", "__global": "__constant", "__local": "__private", "const": "volatile"}

// mutated is a token with one change, "" for none.
func mutated(t *preprocess.Token) string {
	if n, err := strconv.Atoi(t.Text); err == nil && t.Kind == preprocess.Number {
		return strconv.Itoa(n + 1)
	}
	return exchanged[t.Text]
}

// placed are the tokens that stand in the file itself, those of pragmas too.
func placed(tokens []preprocess.Token, file string) (list []preprocess.Token) {
	for i := range tokens {
		if tokens[i].Kind == preprocess.Pragma {
			list = append(list, placed(tokens[i].Args, file)...)
		} else if tokens[i].From == nil && tokens[i].Pos.File == file {
			list = append(list, tokens[i])
		}
	}
	return list
}

// TestMutants: where one token changes what the frontend reads, cc's reading of the change differs from the
// frontend's reading without it, and nowhere else.
func TestMutants(t *testing.T) {
	files := openCLFiles(t, "../../kernels", "../../testdata", "../../lower", "../../internal/evidence")
	var tried, changed, missed int
	for round := 0; tried < mutants && round < mutants; round++ {
		name := files[round%len(files)]
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, read, err := resolve.Read(configurationOf(name, string(text)))
		if read == nil || err != nil {
			continue
		}
		before, bad := ownOutline(read.File)
		if bad != nil || len(read.Tokens.Errors) > 0 {
			continue
		}
		list := placed(read.Tokens.Tokens, name)
		for n := range 12 { // of each file per round, spread over it
			k := &list[(round/len(files)*7+n*len(list)/12)%len(list)]
			for mutated(k) == "" && k != &list[len(list)-1] {
				k = &list[indexOf(list, k)+1]
			}
			other := mutant(string(text), k)
			if other == "" {
				continue
			}
			is, sees, ok := outcome(before, name, other)
			if !ok {
				continue
			}
			tried++
			if is {
				changed++
			}
			if is != sees {
				missed++
				t.Errorf("%v: %s for %s: changes the tree: %v; seen: %v", k.Pos, mutated(k), k.Text, is, sees)
			}
		}
	}
	if tried < mutants || changed < mutants*9/10 {
		t.Errorf("%d mutants, %d change the tree", tried, changed)
	}
	t.Logf("%d mutants, %d change the tree, %d missed", tried, changed, missed)
}

func indexOf(list []preprocess.Token, k *preprocess.Token) int {
	for i := range list {
		if &list[i] == k {
			return i
		}
	}
	return 0
}

// mutant is a text with one token changed.
func mutant(text string, k *preprocess.Token) string {
	lines := strings.SplitAfter(text, "\n")
	at := k.Pos.Column - 1
	if k.Pos.Line > len(lines) || !strings.HasPrefix(lines[k.Pos.Line-1][min(at, len(lines[k.Pos.Line-1])):], k.Text) ||
		mutated(k) == "" {
		return ""
	}
	l := lines[k.Pos.Line-1]
	lines[k.Pos.Line-1] = l[:at] + mutated(k) + l[at+len(k.Text):]
	return strings.Join(lines, "")
}

// outcome says of a mutant whether the frontend's reading differs from the one before, and whether cc's does; ok is
// false of one that is no program.
func outcome(before *outline, name, text string) (changes, seen, ok bool) {
	_, read, _ := resolve.Read(configurationOf(name, text))
	if read == nil {
		return false, false, false
	}
	after, bad := ownOutline(read.File)
	if bad != nil || len(read.Tokens.Errors) > 0 {
		return false, false, false
	}
	other, unread := readable(read.Tokens.Tokens, read.IsType, after.names).outline()
	if unread != nil {
		return false, false, false
	}
	return len(differences(before, after)) > 0, len(differences(before, other)) > 0, true
}
