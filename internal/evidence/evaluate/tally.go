package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gpupipe/internal/diag"
)

// tally counts what is said of configurations. Texts that differ in their numbers only,
// such as the bytes that a group takes, are one entry with the range of each number.
type tally struct {
	entries []*said // in the order of what was said first
	byKey   map[string]*said
}

// said is a text and the configurations that it holds for.
type said struct {
	count int
	first int // row of the table, from 0
	place string
	words []string    // what is between the numbers
	span  [][2]string // the least and the largest of each number, as written
}

// number is what may differ between two texts that say the same: no part of a
// name, such as that of a type.
var number = regexp.MustCompile(`\b\d+(\.\d+)?\b`)

// add counts a text about a place in the source, which may be empty, for a row.
func (t *tally) add(row int, place, text string) {
	words, numbers := number.Split(text, -1), number.FindAllString(text, -1)
	key := place + "\x00" + strings.Join(words, "\x00")
	s := t.byKey[key]
	if s == nil {
		s = &said{first: row, place: place, words: words, span: make([][2]string, len(numbers))}
		for i, n := range numbers {
			s.span[i] = [2]string{n, n}
		}
		if t.byKey == nil {
			t.byKey = map[string]*said{}
		}
		t.byKey[key] = s
		t.entries = append(t.entries, s)
	}
	s.count++
	for i, n := range numbers {
		if value(n) < value(s.span[i][0]) {
			s.span[i][0] = n
		}
		if value(n) > value(s.span[i][1]) {
			s.span[i][1] = n
		}
	}
}

// value is that of a number as the pattern finds it.
func value(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return v
}

// most are the entries, those of most configurations first.
func (t *tally) most() []*said {
	return slices.SortedStableFunc(slices.Values(t.entries), func(a, b *said) int { return b.count - a.count })
}

// String is the text with its place; a number that differs is a range.
func (s *said) String() string {
	var b strings.Builder
	if s.place != "" {
		fmt.Fprintf(&b, "%s: ", s.place)
	}
	for i, w := range s.words {
		b.WriteString(w)
		if i < len(s.span) {
			if b.WriteString(s.span[i][0]); s.span[i][0] != s.span[i][1] {
				fmt.Fprintf(&b, " to %s", s.span[i][1])
			}
		}
	}
	return b.String()
}

// addError counts an error.
func (t *tally) addError(row int, err error) {
	place, text := shortly(err)
	t.add(row, place, text)
}

// shortly is the first line of an error, of a list that of the first, and its place.
func shortly(err error) (place, text string) {
	if list, ok := errors.AsType[diag.List](err); ok && len(list) > 0 {
		err = list[0]
	}
	if e, ok := errors.AsType[*diag.Error](err); ok {
		return e.Pos.String(), e.Message
	}
	text, _, _ = strings.Cut(err.Error(), "\n")
	return "", text
}

// reason is an error on one line.
func reason(err error) string {
	place, text := shortly(err)
	if place == "" {
		return text
	}
	return place + ": " + text
}
