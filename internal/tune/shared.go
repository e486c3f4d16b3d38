package tune

import "sync"

// shared is what several variants use: made by the first one that asks, dropped after the last one.
type shared[T any] struct {
	mu    sync.Mutex
	slots map[string]*slot[T]
}

type slot[T any] struct {
	once  sync.Once
	left  int // users that have not let it go
	value T
	err   error
}

// expect says that one more variant will use a key.
func (s *shared[T]) expect(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.slots == nil {
		s.slots = map[string]*slot[T]{}
	}
	if s.slots[key] == nil {
		s.slots[key] = &slot[T]{}
	}
	s.slots[key].left++
}

// of is the value of a key that is expected.
func (s *shared[T]) of(key string, make func() (T, error)) (T, error) {
	s.mu.Lock()
	one := s.slots[key]
	s.mu.Unlock()
	one.once.Do(func() { one.value, one.err = make() })
	return one.value, one.err
}

// release lets a key go.
func (s *shared[T]) release(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.slots[key]; one != nil {
		if one.left--; one.left == 0 {
			delete(s.slots, key)
		}
	}
}
