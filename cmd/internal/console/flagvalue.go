package console

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"

	"github.com/spf13/pflag"
)

// FlagError says what is wrong with the flags of a command, with a near one for a
// flag that does not exist.
func FlagError(err error, flags *pflag.FlagSet, command string) *diag.Error {
	e := Usagef("%v", err)
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if hint := flagHint(unknown, flags); hint != "" {
			return e.WithNote("%s", hint)
		}
	}
	return e.WithNote("%s --help explains the flags", command)
}

// flagHint says which flag may be meant by one that does not exist; empty if none is like it.
func flagHint(unknown *pflag.NotExistError, flags *pflag.FlagSet) string {
	word := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		word, _, _ = strings.Cut(short, "=") // -gpu=a100 is read as -g -p ...
	}
	if f, value := flags.Lookup(otherNames[word].flag), otherNames[word].value; f != nil && strings.Contains(f.Usage, value) {
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
			return 0, fmt.Errorf("%q is no whole number", text)
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

// Repeated is a flag that may be given several times; each text is read by a
// function.
type Repeated[T any] struct {
	Into  *[]T
	Parse func(string) (T, error)
	Kind  string // what the help calls the value
}

var _ pflag.Value = (*Repeated[int])(nil)

// Set reads one more value of the flag.
func (r *Repeated[T]) Set(text string) error {
	v, err := r.Parse(text)
	if err == nil {
		*r.Into = append(*r.Into, v)
	}
	return err
}

func (r *Repeated[T]) String() string { return "" }

// Type is what the help calls a value.
func (r *Repeated[T]) Type() string { return r.Kind }
