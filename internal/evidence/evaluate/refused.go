package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// outcome is what became of a row of the table: a prediction, or why there is none.
type outcome struct {
	row
	prediction
	err error
}

// settle keeps the rows that are compared, those that have a prediction and a measured
// time, and tells whether there is any. A configuration that the device cannot launch
// says nothing of the others, but what is wrong with all of them is wrong with the
// specification.
func (s *study) settle() error {
	var rows []row
	var first error
	for i := range s.outcomes {
		o := &s.outcomes[i]
		if o.err != nil {
			if first == nil {
				first = fmt.Errorf("row %d, %v: %w", s.line(i), s.table.describe(&o.row), o.err)
			}
			continue
		}
		if !o.measured() {
			continue
		}
		rows, s.predictions = append(rows, o.row), append(s.predictions, o.prediction)
		for k := range s.apart {
			s.apart[k][len(rows)-1] = s.apart[k][i]
		}
	}
	for k := range s.apart {
		s.apart[k] = s.apart[k][:len(rows)]
	}
	s.table.rows = rows
	switch {
	case len(rows) > 0:
		return nil
	case first != nil:
		return fmt.Errorf("no configuration can be predicted; %w", first)
	}
	return errors.New("no configuration that can be predicted has a measured time")
}

// line is the line of the table's file in which a row stands, as the user counts: the
// header is line 1.
func (s *study) line(i int) int { return 2 + i*s.every }

// writeRefused lists what could not be predicted or compared, and why.
func (s *study) writeRefused(w io.Writer) {
	var why tally
	var refused, unmeasured int
	for i := range s.outcomes {
		switch o := &s.outcomes[i]; {
		case o.err != nil:
			refused++
			why.addError(i, o.err)
		case !o.measured():
			unmeasured++
		}
	}
	if unmeasured > 0 {
		fmt.Fprintf(w, "\n%d of %d rows have no measured time: they are predicted (-o), and left out of all that "+
			"follows.\n", unmeasured, len(s.outcomes))
	}
	if refused == 0 {
		return
	}
	fmt.Fprintf(w, "\n%d of %d configurations are refused, and left out of all that follows:\n\n", refused,
		len(s.outcomes))
	for _, e := range why.most() {
		fmt.Fprintf(w, "- %d, the first in line %d of the table (%s): %s\n", e.count, s.line(e.first),
			strings.Join(s.table.describe(&s.outcomes[e.first].row), " "), e)
	}
}
