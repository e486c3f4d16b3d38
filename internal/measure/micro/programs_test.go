package micro

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"gpupipe/internal/measure/driver"
)

// TestAhead: programs behind the one that is measured are compiled meanwhile, each once; what is refused says why.
func TestAhead(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	var mu sync.Mutex
	begun := map[string]int{}
	second := make(chan bool)
	p := programs{compile: func(_ context.Context, k key) (*spec, driver.Program, error) {
		mu.Lock()
		begun[k.class]++
		mu.Unlock()
		switch k.class {
		case "first": // ends when the second has begun
			<-second
		case "second":
			close(second)
		case "wrong":
			return nil, nil, errors.New("refused")
		}
		return &spec{}, nil, nil
	}}
	for _, name := range []string{"first", "first", "second", "wrong", "last"} {
		p.expect(key{class: name})
	}
	for _, name := range []string{"first", "second", "wrong", "last"} {
		it, err := p.get(context.Background(), key{class: name})
		if (err != nil) != (name == "wrong") || err == nil && it.spec == nil {
			t.Errorf("%s: %v", name, err)
		}
		p.drop(key{class: name})
	}
	if _, err := p.get(context.Background(), key{class: "other"}); err != nil {
		t.Errorf("a program that nobody expected: %v", err)
	}
	p.close()
	for name, n := range begun {
		if n != 1 {
			t.Errorf("%s was compiled %d times", name, n)
		}
	}
	if len(begun) != 5 || len(p.pending) > 0 {
		t.Errorf("compiled were %v; %d are left", begun, len(p.pending))
	}
}
