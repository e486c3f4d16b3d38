package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ambiguous is the relative error from which on a number without % may be meant as percent.
const ambiguous = 0.1

// parseRegress reads a share as people write it for a gate: "3%", "3" for the same, or "0.03".
func parseRegress(text string) (float64, error) {
	number := strings.TrimSpace(text)
	if p, err := strconv.ParseFloat(number, 64); err == nil && p >= 1 {
		number += "%"
	}
	return parsePrecision(number)
}

// parsePrecision reads a relative error below 1: "0.5%" or "0.005".
func parsePrecision(text string) (float64, error) {
	number, isPercent := strings.CutSuffix(strings.TrimSpace(text), "%")
	p, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if isPercent {
		p /= 100
	}
	if err != nil || !(p >= 0 && p < 1) {
		return 0, errors.New("write a relative error from 0 to below 100%, as in 0.5% or 0.005")
	}
	if !isPercent && p >= ambiguous {
		percents := strconv.FormatFloat(100*p, 'g', 6, 64)
		return 0, fmt.Errorf("write %s%% or %s%%", strings.TrimSpace(number), percents)
	}
	return p, nil
}
