package crosscheck

import (
	"fmt"
	"strings"

	"gpupipe/internal/diag"
)

const (
	codeDiffers = "READINGS" // two parsers read the same text differently
	codeUnread  = "UNREAD"   // cc cannot read a text
)

// differences compares two readings, declaration by declaration; one difference is told of each.
func differences(own, other *outline) (list diag.List) {
	byKey := map[string][]*decl{}
	for i := range other.decls {
		d := &other.decls[i]
		byKey[d.key()] = append(byKey[d.key()], d)
	}
	for i := range own.decls {
		d := &own.decls[i]
		same := byKey[d.key()]
		if len(same) == 0 {
			list.Add(differ(d.pos, d.lines[0].text, "no such declaration"))
			continue
		}
		byKey[d.key()] = same[1:]
		if e := firstDifference(d, same[0]); e != nil {
			list.Add(e)
		}
	}
	for i := range other.decls {
		d := &other.decls[i]
		if rest := byKey[d.key()]; len(rest) > 0 && rest[0] == d {
			byKey[d.key()] = rest[1:]
			list.Add(differ(d.pos, "no such declaration", d.lines[0].text))
		}
	}
	return list
}

// key tells which declarations are the same: by name, and without one by the first line.
func (d *decl) key() string {
	if d.name == "" {
		return d.lines[0].text
	}
	return fmt.Sprint(d.name, d.body)
}

func firstDifference(a, b *decl) *diag.Error {
	for i := range max(len(a.lines), len(b.lines)) {
		switch {
		case i >= len(a.lines):
			return differ(b.lines[i].pos, "the end of "+a.name, b.lines[i].text)
		case i >= len(b.lines):
			return differ(a.lines[i].pos, a.lines[i].text, "the end of "+a.name)
		case a.lines[i].text != b.lines[i].text:
			return differ(a.lines[i].pos, a.lines[i].text, b.lines[i].text)
		case a.lines[i].depth != b.lines[i].depth:
			return differ(a.lines[i].pos, nested(&a.lines[i]), nested(&b.lines[i]))
		}
	}
	return nil
}

func nested(l *line) string { return fmt.Sprintf("%s, %d deep", l.text, l.depth) }

// differ is the error of two readings.
func differ(at diag.Pos, own, other string) *diag.Error {
	own, other = around(own, other)
	return diag.Errorf(at, codeDiffers, "two parsers read this differently").
		WithNote("read here: %s", own).WithNote("cc reads: %s", other)
}

// around cuts what is long to what stands before and behind the first difference.
func around(a, b string) (string, string) {
	const before, most = 40, 120
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	from := max(0, n-before)
	cut := func(s string) string {
		s = s[min(from, len(s)):]
		if len(s) > most {
			s = s[:most] + " ..."
		}
		if from > 0 {
			s = "... " + s
		}
		return strings.ToValidUTF8(s, "?")
	}
	return cut(a), cut(b)
}
