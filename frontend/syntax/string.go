package syntax

import (
	"cmp"
	"fmt"
	"strings"

	"gpupipe/frontend/preprocess"
)

// stringLiteral reads strings that stand side by side as one, with the prefix of wide characters that one of them has.
func (p *parser) stringLiteral() *Lit {
	at := p.pos()
	encoding, text := "", `"`
	for p.peek().Kind == preprocess.String {
		prefix, next := stringText(p.peek())
		if prefix != "" && p.Language != CUDA {
			p.unsupported(p.pos(), "a string of wide characters is", "use one of char")
		}
		encoding = cmp.Or(encoding, prefix)
		p.i++
		if next != "" && endsInHex(text) && strings.IndexByte(hexDigits, next[0]) >= 0 {
			next = fmt.Sprintf(`\%03o`, next[0]) + next[1:] // no further digit of the one before
		}
		text += next
	}
	return &Lit{at, StringLit, encoding + text + `"`}
}

// stringText is the prefix of a string of wide characters, and what stands between the quotes; of a raw one, what would
// stand there in another.
func stringText(t *preprocess.Token) (prefix, text string) {
	prefix, text, _ = strings.Cut(t.Text, `"`)
	text = strings.TrimSuffix(text, `"`)
	if kind, raw := strings.CutSuffix(prefix, "R"); raw {
		delimiter, body, _ := strings.Cut(text, "(")
		prefix, text = kind, rawEscapes.Replace(strings.TrimSuffix(body, ")"+delimiter))
	}
	return strings.TrimPrefix(prefix, "u8"), text
}

var rawEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`)

const hexDigits = "0123456789abcdefABCDEF"

// endsInHex reports whether text ends in an escape of hexadecimal digits.
func endsInHex(text string) bool {
	head := strings.TrimRight(text, hexDigits)
	escape, ok := strings.CutSuffix(head, `\x`)
	return ok && (len(escape)-len(strings.TrimRight(escape, `\`)))%2 == 0
}
