package syntax

import (
	"fmt"
	"strings"

	"gpupipe/frontend/preprocess"
)

// stringLiteral reads strings that stand side by side as one, written without a prefix.
func (p *parser) stringLiteral() *Lit {
	at := p.pos()
	text := `"`
	for p.peek().Kind == preprocess.String {
		next := p.stringText(p.peek())
		p.i++
		if next != "" && endsInHex(text) && strings.IndexByte(hexDigits, next[0]) >= 0 {
			next = fmt.Sprintf(`\%03o`, next[0]) + next[1:] // no further digit of the one before
		}
		text += next
	}
	return &Lit{at, StringLit, text + `"`}
}

// stringText is what stands between the quotes of a string; of a raw one, what would stand there in another.
func (p *parser) stringText(t *preprocess.Token) string {
	prefix, text, _ := strings.Cut(t.Text, `"`)
	text = strings.TrimSuffix(text, `"`)
	if kind, raw := strings.CutSuffix(prefix, "R"); raw {
		delimiter, body, _ := strings.Cut(text, "(")
		prefix, text = kind, rawEscapes.Replace(strings.TrimSuffix(body, ")"+delimiter))
	}
	if prefix != "" && prefix != "u8" {
		p.unsupported(t.Pos, "a string of wide characters is", "use one of char")
	}
	return text
}

var rawEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`)

const hexDigits = "0123456789abcdefABCDEF"

// endsInHex reports whether text ends in an escape of hexadecimal digits.
func endsInHex(text string) bool {
	head := strings.TrimRight(text, hexDigits)
	escape, ok := strings.CutSuffix(head, `\x`)
	return ok && (len(escape)-len(strings.TrimRight(escape, `\`)))%2 == 0
}
