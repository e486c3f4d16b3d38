package diag

import (
	"errors"
	"fmt"
	"testing"
)

func TestDefect(t *testing.T) {
	cause := errors.New("a result contradicts itself")
	err := fmt.Errorf("run: %w", AsDefect(cause))
	if !IsDefect(err) || !errors.Is(err, cause) || err.Error() != "run: internal error: a result contradicts itself" {
		t.Errorf("%v is a defect: %v", err, IsDefect(err))
	}
	if AsDefect(nil) != nil || IsDefect(cause) || IsDefect(nil) {
		t.Error("what is not marked is a defect")
	}
}

func TestAssumption(t *testing.T) {
	list := List{Notef(Pos{}, "ASSUMED-TRIPS", "one iteration").At(Pos{"k.cl", 2, 1}),
		Notef(Pos{"k.cl", 1, 1}, "PRAGMA", "no loop follows")}
	if !IsAssumption(list[0]) || IsAssumption(list[1]) {
		t.Error("only the code ASSUMED-... says that something was assumed")
	}
	if first := list.Sorted()[0]; first.Pos.Line != 1 || first.Severity != SeverityNote {
		t.Errorf("the first is %v", first)
	}
}
