package console

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpupipe/internal/spelling"

	"github.com/spf13/pflag"
)

// flagHint says which flag may be meant by one that does not exist; empty if none is like it.
func flagHint(unknown *pflag.NotExistError, flags *pflag.FlagSet) string {
	word := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		word, _, _ = strings.Cut(short, "=") // -gpu=a100 is read as -g -p ...
	}
	if f, value := flags.Lookup(otherNames[word].flag), otherNames[word].value; f != nil &&
		strings.Contains(f.Usage, value) {
		return strings.TrimRight("did you mean --"+f.Name+" "+value, " ") + "?"
	}
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	if len(word) > 1 && slices.Contains(names, "--"+word) {
		return "did you mean --" + word + "?" // which is none of spelling's names
	}
	return spelling.DidYouMean("--"+word, names)
}

// otherNames are what other programs call flags.
var otherNames = map[string]struct{ flag, value string }{
	"device":   {"gpu", ""},
	"target":   {"gpu", ""},
	"json":     {"format", "json"},
	"csv":      {"format", "csv"},
	"markdown": {"format", "markdown"},
	"dot":      {"format", "dot"},
	"regs":     {"registers", ""},
}

// ParseAtLeast reads a whole number, decimal or with a prefix such as 0x, that
// is not less than a bound.
func ParseAtLeast(least int64) func(string) (int64, error) {
	return func(text string) (int64, error) {
		n, err := strconv.ParseInt(text, 0, 64)
		switch {
		case errors.Is(err, strconv.ErrRange):
			return 0, fmt.Errorf("%s is too large", text)
		case err != nil:
			return 0, fmt.Errorf("%q is not a whole number", text)
		case n < least:
			return 0, fmt.Errorf("%d is less than %d", n, least)
		}
		return n, nil
	}
}

// ParseBetween reads a whole number between two bounds.
func ParseBetween(least, most int) func(string) (int, error) {
	return func(text string) (int, error) {
		n, err := ParseAtLeast(int64(least))(text)
		if err == nil && n > int64(most) {
			err = fmt.Errorf("%d is more than %d", n, most)
		}
		return int(n), err
	}
}

// Parsed is a flag whose text is read by a function. If it is given again, the
// last one counts.
type Parsed[T any] struct {
	Into  *T
	Parse func(string) (T, error)
	Kind  string // what the help calls the value
	// Values are those that a shell completes; nil = files.
	Values []string

	text string
}

var _ pflag.Value = (*Parsed[int])(nil)

// Set reads the value of the flag.
func (p *Parsed[T]) Set(text string) error {
	v, err := p.Parse(text)
	if err == nil {
		*p.Into, p.text = v, text
	}
	return err
}

func (p *Parsed[T]) String() string { return p.text }

// Type is what the help calls the value.
func (p *Parsed[T]) Type() string { return p.Kind }

func (p *Parsed[T]) completions() []string { return p.Values }

// Repeated is a flag that may be given several times; each text is read by a function. The help calls a value kind.
func Repeated[T any](into *[]T, parse func(string) (T, error), kind string) *List[T] {
	return &List[T]{Into: into, Kind: kind, Parse: func(text string) ([]T, error) {
		v, err := parse(text)
		return []T{v}, err
	}}
}

// List is a flag that takes several values at once and may be given several times.
type List[T any] struct {
	Into  *[]T
	Parse func(string) ([]T, error)
	Kind  string // what the help calls the value
	// Values are those that a shell completes; nil = files.
	Values []string
}

var _ pflag.Value = (*List[int])(nil)

// Set reads more values of the flag.
func (l *List[T]) Set(text string) error {
	values, err := l.Parse(text)
	if err == nil {
		*l.Into = append(*l.Into, values...)
	}
	return err
}

func (l *List[T]) String() string { return "" }

// Type is what the help calls a value.
func (l *List[T]) Type() string { return l.Kind }

func (l *List[T]) completions() []string { return l.Values }
