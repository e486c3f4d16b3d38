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
		if strings.Contains(line, "| random | ") && !strings.Contains(line, fmt.Sprintf("| random | %d |", *most)) {
			rows += line
		}
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
			values, err := compile(clang, dir, list)
			if err != nil {
				t.Fatal(err)
			}
			mended, err := withoutMistakes(clang, dir, list)
			if err != nil {
				t.Fatal(err)
			}
			others, err := compile(clang, dir, mended)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range values {
				status, why := Judge(&list[i], want)
				if want == "" {
					status, why = judgeRejected(&list[i], &mended[i], others[i])
				}
				statuses = append(statuses, status)
				if status > Right {
					t.Logf("seed %d: %v: %s", from+i, status, why)
				}
				if want == "" {
					rejected++
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

// judgeRejected judges a program that clang++ rejects for errors that the kernel may not need: a front end may accept
// it as what is mended, the program without them.
func judgeRejected(p, mended *Program, want Values) (Status, string) {
	if status, why := Judge(mended, want); status > Right {
		return status, "mended: " + why
	}
	status, why := Judge(p, want)
	if status == Refused {
		return Right, why
	}
	return status, why
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
