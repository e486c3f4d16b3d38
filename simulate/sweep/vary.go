package sweep

import (
	"errors"
	"fmt"
	"strings"

	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// Vary is a parameter of some instructions that takes several values.
type Vary struct {
	Name   string           // "ld.global:latency"
	Values []string         // as written in a rule
	Rules  []latencies.Rule // by value
}

// ParseVary reads SELECTOR:cpi=LIST, SELECTOR:latency=LIST (see ParseNumbers),
// SELECTOR:R=LIST, SELECTOR:D=LIST, SELECTOR:subsystem=NAME,NAME or SELECTOR:addresses=KIND,KIND. Selectors are those
// of latencies.ParseRule.
func ParseVary(text string) (Vary, error) {
	head, list, ok := strings.Cut(text, "=")
	colon := strings.LastIndexByte(head, ':')
	if !ok || colon < 0 {
		return Vary{}, errors.New("write SELECTOR:cpi=LIST, SELECTOR:latency=LIST, SELECTOR:R=LIST, SELECTOR:D=LIST, " +
			"SELECTOR:subsystem=LIST or SELECTOR:addresses=LIST")
	}
	if strings.Contains(list, "=") {
		return Vary{}, errors.New("only one parameter can be varied at a time; give another --vary for the other one")
	}
	v := Vary{Name: strings.TrimSpace(head[:colon]) + ":" + strings.TrimSpace(head[colon+1:])}
	if strings.HasSuffix(v.Name, ":subsystem") || strings.HasSuffix(v.Name, ":addresses") {
		for name := range strings.SplitSeq(list, ",") {
			v.Values = append(v.Values, strings.TrimSpace(name))
		}
	} else {
		numbers, err := ParseNumbers(list)
		if err != nil {
			return Vary{}, err
		}
		for _, n := range numbers {
			v.Values = append(v.Values, n.String())
		}
	}
	for _, value := range v.Values {
		rule := v.Name + "=" + value
		r, err := latencies.ParseRule(rule)
		if err != nil {
			var e *diag.Error
			if errors.As(err, &e) {
				err = errors.New(strings.TrimPrefix(e.Message, fmt.Sprintf("%q: ", rule)))
			}
			return Vary{}, err
		}
		v.Rules = append(v.Rules, r)
	}
	return v, nil
}
