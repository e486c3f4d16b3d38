package frontend

import (
	"maps"
	"slices"

	"gpupipe/frontend/load"
	"gpupipe/internal/diag"
)

// A kernel template about whose type parameters the file says nothing is read with float for each of them. Where
// that has no meaning - a subscript, an operand of % - one of them at a time is int instead, the first with which
// the kernel can be typed; if there is none, the errors with float stay. A note says what has been assumed.

// maxIntegers bounds the parameters of a kernel template that are tried as int.
const maxIntegers = 4

// parseAssuming parses a file, with int where float does not fit.
func parseAssuming(cfg *Config) (*Unit, *load.Parsed, error) {
	settled := map[string]int{}
	u, p, first, err := parseRounds(cfg, settled)
	if first == nil || len(first.Assumed.Failed) == 0 {
		return u, p, err
	}
	open := maps.Clone(first.Assumed.Failed)
	for k := 0; k < maxIntegers && len(open) > 0; k++ {
		trial := maps.Clone(settled)
		for t := range open {
			if params := first.Assumed.Params[t]; k < len(params) {
				trial[t] = params[k]
			} else {
				delete(open, t)
			}
		}
		if len(open) == 0 {
			break
		}
		_, _, inst, _ := parseRounds(cfg, trial)
		if inst == nil {
			break
		}
		for t := range open {
			if !inst.Assumed.Failed[t] {
				settled[t] = trial[t]
				delete(open, t)
			}
		}
	}
	if len(settled) == 0 {
		return u, p, err
	}
	u, p, _, err = parseRounds(cfg, settled)
	return u, p, err
}

// misfits reports whether types are all that is wrong, which others might cure.
func misfits(errs diag.List) bool {
	return !slices.ContainsFunc(errs, func(e *diag.Error) bool { return e.Severity == diag.SeverityError && e.Code != codeType })
}
