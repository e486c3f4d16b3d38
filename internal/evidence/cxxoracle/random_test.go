package cxxoracle

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
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

// fewRandom is how many random programs FULL_TESTS compares unless more are asked for.
const fewRandom = 50

// random compares random programs and returns their rows of the page: those of another number of programs
// are as on the old page.
func random(t *testing.T, old string) (rows string) {
	if *most < 0 {
		*most = tools.Cases(fewRandom, 0)
	}
	for line := range strings.Lines(old) {
		if strings.Contains(line, "| random | ") && !strings.Contains(line, fmt.Sprintf("| random | %d |", *most)) {
			rows += line
		}
	}
	if *most == 0 {
		return rows
	}
	t.Run("random", func(t *testing.T) {
		clang := tools.Path(t, "clang++", "clang")
		var statuses []Status
		rejected, dir := 0, t.TempDir()
		for from := 0; from < *most; from += batch {
			var list []Program
			for seed := from; seed < min(from+batch, *most); seed++ {
				list = append(list, Random(seed))
			}
			mended, err := withoutMistakes(clang, dir, list)
			if err != nil {
				t.Fatal(err)
			}
			values, err := compile(clang, dir, mended)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range values {
				status, why := Judge(&mended[i], want)
				if mended[i] != list[i] {
					rejected++
					if status == Right { // the kernel may not need what is wrong
						if status, why = Judge(&list[i], want); status == Refused {
							status = Right
						}
					}
				}
				statuses = append(statuses, status)
				if status > Right {
					t.Logf("seed %d: %v: %s", from+i, status, why)
				}
			}
		}
		t.Logf("clang++ rejects %d", rejected)
		c := count(statuses)
		row := fmt.Sprintf("| random | %d | %d | %d | %d |\n", *most, c[Right], c[Refused], c[Wrong])
		if *most == fewRandom {
			rows = row + rows
		} else {
			rows += row
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
