package main

import "github.com/spf13/pflag"

// parsed is a flag whose text is read by a function. It may be given once more:
// the last one counts.
type parsed[T any] struct {
	into  *T
	parse func(string) (T, error)
	kind  string // what the help calls the value
	text  string
}

var _ pflag.Value = (*parsed[int])(nil)

func (p *parsed[T]) Set(text string) error {
	v, err := p.parse(text)
	if err != nil {
		return err
	}
	*p.into, p.text = v, text
	return nil
}

func (p *parsed[T]) String() string { return p.text }
func (p *parsed[T]) Type() string   { return p.kind }

// repeated is a flag that may be given several times; each text is read by a
// function.
type repeated[T any] struct {
	into  *[]T
	parse func(string) (T, error)
	kind  string
}

var _ pflag.Value = (*repeated[int])(nil)

func (r *repeated[T]) Set(text string) error {
	v, err := r.parse(text)
	if err == nil {
		*r.into = append(*r.into, v)
	}
	return err
}

func (r *repeated[T]) String() string { return "" }
func (r *repeated[T]) Type() string   { return r.kind }
