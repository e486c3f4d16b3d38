package frontend

import (
	"errors"
	"os"

	"gpupipe/frontend/cxx"
	"gpupipe/frontend/load"
	"gpupipe/frontend/resolve"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// Parse reads a source file and types it. A kernel with an error does not keep
// the others from being used: it is listed in Unit.Broken. If no kernel is
// usable, the error, a diag.List, holds what was wrong with all of them. A
// defect of this package that a source brings out is an error too, which asks for a report.
func Parse(cfg Config) (unit *Unit, err error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	defer func() {
		if x := recover(); x != nil {
			e := diag.Errorf(Pos{File: cfg.File}, load.CodeInternal, "the source cannot be read: %v", x)
			unit, err = nil, diag.List{e.WithNote("this is a defect of the frontend; please report it with the source")}
		}
	}()
	if os.Getenv("GPUPIPE_FRONTEND") == "resolve" {
		return resolve.Parse(resolve.Config(cfg))
	}
	unit, p, err := parseAssuming(&cfg)
	if err == nil {
		addHostLaunches(unit, p, &cfg)
	}
	return unit, err
}

// parseRounds parses a file, with int for the parameters of kernel templates that integer
// names. The template arguments are nil where the file cannot be read.
func parseRounds(cfg *Config, integer map[string]int) (*Unit, *load.Parsed, *cxx.Instances, error) {
	inst := cxx.NewInstances()
	inst.Assumed.Integer = integer
	read := 0 // tokens of all rounds, which are bounded together
	for round := 1; ; round++ {
		p, err := load.Parse(cfg, inst)
		if err != nil {
			var one *diag.Error
			if errors.As(err, &one) {
				return nil, nil, nil, diag.List{one}
			}
			return nil, nil, nil, err
		}
		before := inst.Count
		u, err := check(cfg, p)
		read += p.Program.Tokens
		if inst.Count == before || round == cxx.MaxRounds || read > tokens.MaxTokens/4 {
			return u, p, inst, err
		}
		// Typing has deduced template arguments: their copies are written now.
	}
}
