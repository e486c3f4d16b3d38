package generate

import (
	"errors"
	"fmt"
	"sync"

	"gpupipe/frontend/ast"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
)

// codes are the codes of a program's kernels, each compiled once, by what its compiler is told beside the program.
type codes struct {
	mu   sync.Mutex
	made map[string]*code
}

type code struct {
	mu   sync.Mutex
	done bool
	code *machine.Code
	err  error
}

// of is the code of a kernel by a compiler that is told o; make compiles it.
func (c *codes) of(fn *ast.Function, o *compile.Options, make func() (*machine.Code, error)) (*machine.Code, error) {
	key := fmt.Sprint(fn.Name, " ", o.Target.Name, " ", o.Level, o.Unroll, o.Machine)
	c.mu.Lock()
	if c.made == nil {
		c.made = map[string]*code{}
	}
	one := c.made[key]
	if one == nil {
		one = &code{}
		c.made[key] = one
	}
	c.mu.Unlock()
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.done {
		return one.code, one.err
	}
	made, err := make()
	if _, stopped := errors.AsType[compile.Stopped](err); !stopped { // which depends on the launch
		one.done, one.code, one.err = true, made, err
	}
	return made, err
}

// With is the program for other options, of which those that the frontend reads and the device are the same: other
// launches, arguments, unroll factors or registers. What has been compiled is kept.
func (p *Program) With(o *Options) *Program {
	return &Program{Source: p.Source, Unit: p.Unit, options: o, codes: p.codes}
}
