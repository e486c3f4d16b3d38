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

// percentExactly prints a small share with two digits, as in 0.5% or 0.043%. What is less
// than any difference between devices or runs is not written out.
func percentExactly(share float64) string {
	if share > 0 && share < 1e-6 {
		return "0.0001%"
	}
	return strconv.FormatFloat(100*share, 'g', 2, 64) + "%"
}
