package main

import (
	"errors"
	"strconv"
	"strings"
)

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
	return p, nil
}
