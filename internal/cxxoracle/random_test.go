package cxxoracle

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"gpupipe/internal/tools"
)

// batch is how many random programs clang++ compiles at once.
const batch = 100

// TestRandomAreSeeded: a seed gives one program, and seeds give different ones.
func TestRandomAreSeeded(t *testing.T) {
	if x, y := Random(3), Random(3); x != y {
		t.Error("a seed gives two programs")
	}
	if strings.ReplaceAll(Random(3).Text, "3", "4") == strings.ReplaceAll(Random(4).Text, "3", "4") {
		t.Error("two seeds give one program")
	}
}

// fewRandom is how many random programs are compared unless more are asked for.
const fewRandom = 50

// random compares random programs and returns their rows of the page: those of another number of programs
// are as on the old page.
func random(t *testing.T, old string) (rows string) {
	for line := range strings.Lines(old) {
		if strings.Contains(line, ", random programs | ") && !strings.Contains(line, fmt.Sprintf("programs | %d |", *most)) {
			rows += line
		}
	}
	t.Run("random", func(t *testing.T) {
		clang := tools.Path(t, "clang++", "clang")
		statuses := make([][]Status, len(frontEnds))
		rejected, dir := 0, t.TempDir()
		for from := 0; from < *most; from += batch {
			var list []Program
			for seed := from; seed < min(from+batch, *most); seed++ {
				list = append(list, Random(seed))
			}
			values, err := compile(clang, dir, list)
			if err != nil {
				t.Fatal(err)
			}
			for e, end := range frontEnds {
				for i := range list {
					status, why := Judge(end.parse, &list[i], values[i])
					statuses[e] = append(statuses[e], status)
					if status > Right {
						t.Logf("%s: seed %d: %v: %s", end.name, from+i, status, why)
					}
				}
			}
			for _, v := range values {
				if v == "" {
					rejected++
				}
			}
		}
		t.Logf("clang++ rejects %d", rejected)
		for e, end := range frontEnds {
			c := count(statuses[e])
			row := fmt.Sprintf("| %s, random programs | %d | %d | %d | %d |\n", end.name, *most, c[Right], c[Refused], c[Wrong])
			if *most == fewRandom {
				rows = row + rows
			} else {
				rows += row
			}
		}
	})
	return rows
}

// TestRandomProgram prints one of them: go test -run RandomProgram -v -seed N.
func TestRandomProgram(t *testing.T) {
	if *seed == "" {
		return // only with -seed
	}
	n, err := strconv.Atoi(*seed)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + Random(n).Text)
}
