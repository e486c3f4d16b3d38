package simulate

import "context"

const maxFastPlaces = 64

func (s *setup) runFast(ctx context.Context) (*outcome, error) { return s.runReference(ctx) }
