package console

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// What a graph, a source or a file's name says reaches a terminal as text only. Control characters
// in it, which could move the cursor or rename the window, are shown by their pictures.

// Visible is a text with its control characters, but for line ends and tabs, made visible.
func Visible(text string) string { return string(appendVisible(nil, []byte(text))) }

func appendVisible(out, text []byte) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '\n' || r == '\t':
			out = append(out, text[0])
		case r < ' ':
			out = utf8.AppendRune(out, '\u2400'+r)
		case r == 0x7f:
			out = utf8.AppendRune(out, '\u2421')
		case r >= 0x80 && r < 0xa0, r == utf8.RuneError && n == 1 && text[0] < 0xa0:
			// C1 of ECMA-48, which has no pictures
			out = utf8.AppendRune(out, utf8.RuneError)
		default:
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	return out
}

// visibleWriter makes what is written to it visible. The colours of a style, SGR sequences, pass
// where styled.
type visibleWriter struct {
	w      io.Writer
	styled bool
	begun  []byte // of a sequence or character, whose rest the next call brings
}

// Raw is the writer that takes everything as it is, for a product that is not text for people: JSON,
// which must say what the names are, or a picture.
func Raw(w io.Writer) io.Writer {
	if v, ok := w.(*visibleWriter); ok {
		return v.w
	}
	return w
}

func (v *visibleWriter) Write(p []byte) (int, error) {
	text := p
	if len(v.begun) > 0 {
		text = append(v.begun, p...)
		v.begun = nil
	}
	var out []byte
	for len(text) > 0 {
		n := bytes.IndexByte(text, '\x1b')
		if !v.styled || n < 0 {
			n = len(text)
			for k := 1; k < utf8.UTFMax && k <= n; k++ { // a character that is not whole
				if utf8.RuneStart(text[n-k]) {
					if !utf8.FullRune(text[n-k:]) {
						v.begun = bytes.Clone(text[n-k:])
						n -= k
					}
					break
				}
			}
			out = appendVisible(out, text[:n])
			break
		}
		out = appendVisible(out, text[:n])
		text = text[n:]
		switch end, whole := sgr(text); {
		case whole:
			out = append(out, text[:end]...)
			text = text[end:]
		case end == len(text):
			v.begun = bytes.Clone(text)
			text = nil
		default:
			out = appendVisible(out, text[:1])
			text = text[1:]
		}
	}
	if _, err := v.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// flush writes what has begun and not been ended.
func (v *visibleWriter) flush() error {
	_, err := v.w.Write(appendVisible(nil, v.begun))
	v.begun = nil
	return err
}

// maxSGR is the length of the longest sequence that a style writes.
const maxSGR = len("\x1b[1;31m")

// sgr is the length of the SGR sequence that text begins with, or of what may become one.
func sgr(text []byte) (n int, whole bool) {
	for n = 1; n < len(text) && n < maxSGR; n++ {
		switch c := text[n]; {
		case n == 1 && c == '[', n > 1 && (c >= '0' && c <= '9' || c == ';'):
		case n > 1 && c == 'm':
			return n + 1, true
		default:
			return 0, false
		}
	}
	if n == maxSGR && n < len(text) {
		return 0, false
	}
	return n, false
}
