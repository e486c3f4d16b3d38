package view

import (
	"encoding/json"
	"errors"

	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/internal/page"
	"gpupipe/lower"
)

// Response is the answer to a Request.
type Response struct {
	Diagnostics []Diagnostic `json:"diagnostics"`
	Kernels     []Kernel     `json:"kernels"` // of the source
	Devices     []Device     `json:"devices"` // in the request's order
}

// Diagnostic is something wrong with the request or worth knowing.
type Diagnostic struct {
	Severity string   `json:"severity"` // error, warning or note
	Code     string   `json:"code"`
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"` // 0 = none
	Column   int      `json:"column,omitempty"`
	Message  string   `json:"message"`
	Notes    []string `json:"notes,omitempty"`
}

// Kernel is a kernel of the source that can be chosen.
type Kernel struct {
	Name string `json:"name"`
	Line int    `json:"line"`
}

// Device is what a device makes of the kernel.
type Device struct {
	Name      string          `json:"name"`
	Title     string          `json:"title"`
	Kernel    string          `json:"kernel"` // empty: none could be chosen
	Launch    *Launch         `json:"launch,omitempty"`
	Arguments []Argument      `json:"arguments"`
	Loops     []Loop          `json:"loops"`
	Report    json.RawMessage `json:"report,omitempty"` // as of pipesim --format json; left out after an error
	Page      *page.Data      `json:"page,omitempty"`   // if it was asked for
}

// Launch is the launch that is predicted, and where its sizes are from.
type Launch struct {
	Local  [3]int64 `json:"local"`
	Groups [3]int64 `json:"groups"`
	Text   string   `json:"text"` // in the words of the kernel's language, with what they are from
}

// Argument is a scalar argument of the kernel.
type Argument struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Value string `json:"value,omitempty"` // that the source gives
}

// Loop is a loop of the source and what was decided about it.
type Loop struct {
	File      string `json:"file,omitempty"` // where it is not the source itself
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	Kind      string `json:"kind"` // for, while or do
	Depth     int    `json:"depth"`
	Condition string `json:"condition,omitempty"`
	Pragma    string `json:"pragma,omitempty"`
	Chosen    int64  `json:"chosen,omitempty"` // factor of the request

	Trips     *int64 `json:"trips"`            // null: varies, or not known
	Origin    string `json:"origin,omitempty"` // of the trip count
	Factor    int64  `json:"factor,omitempty"` // 0 = not decided
	Full      bool   `json:"fully_unrolled"`
	Remainder int64  `json:"remainder"`
	Reason    string `json:"reason,omitempty"`
}

// addError adds an error, or the diagnostics that it is, once each.
func (r *Response) addError(err error) {
	var list diag.List
	var one *diag.Error
	switch {
	case err == nil:
	case errors.As(err, &list):
		r.add(list)
	case errors.As(err, &one):
		r.add(diag.List{one})
	default:
		r.add(diag.List{diag.Errorf(diag.Pos{}, codeRequest, "%v", err)})
	}
}

func (r *Response) add(list diag.List) {
	for _, e := range list.Sorted() {
		r.addOne(Diagnostic{e.Severity.String(), e.Code, e.Pos.File, e.Pos.Line, e.Pos.Column, named(e.Message),
			advices(e.Notes)})
	}
}

// addOne adds a diagnostic that is not there from another device.
func (r *Response) addOne(d Diagnostic) {
	if len(r.Diagnostics) >= maxDiagnostics {
		return
	}
	for _, other := range r.Diagnostics {
		if other.Code == d.Code && other.Message == d.Message && other.File == d.File && other.Line == d.Line &&
			other.Column == d.Column {
			return
		}
	}
	r.Diagnostics = append(r.Diagnostics, d)
}

// maxDiagnostics bounds an answer.
const maxDiagnostics = 100

// loopsOf are the loops of the source by place: those of a function that is called twice are one.
func loopsOf(k *lower.Kernel, file string) []Loop {
	list := []Loop{}
	seen := map[diag.Pos]bool{}
	for _, l := range k.Loops {
		if seen[l.Pos] {
			continue
		}
		seen[l.Pos] = true
		loop := Loop{Line: l.Pos.Line, Column: l.Pos.Column, Kind: l.Kind, Depth: l.Depth, Condition: l.BoundText}
		if l.Pos.File != file {
			loop.File = l.Pos.File
		}
		if l.Pragma != nil {
			loop.Pragma = l.Pragma.Text
		}
		list = append(list, loop)
	}
	return list
}

// decide adds what a graph says of the loops: of several at a place, of the first.
func decide(loops []Loop, g *idg.Graph) {
	for i := range loops {
		l := &loops[i]
		for j := range g.Loops {
			d := &g.Loops[j]
			if d.Pos.Line != l.Line || d.Pos.Column != l.Column || l.File != "" && d.Pos.File != l.File {
				continue
			}
			if d.Trips >= 0 {
				l.Trips = &d.Trips
			}
			l.Origin, l.Factor, l.Full, l.Remainder, l.Reason = d.Origin, d.Factor, d.Full, d.Remainder, named(d.Reason)
			break
		}
	}
}

// argumentsOf are the scalar arguments, with the values that the launch of the source gives them.
func argumentsOf(k *generate.Kernel) []Argument {
	list := []Argument{}
	for _, p := range k.Lowered.Params {
		if p.Type == lower.Ptr {
			continue
		}
		a := Argument{Name: p.Name, Type: p.CType}
		for _, given := range k.Launch.Args {
			if given.Name == p.Name {
				a.Value = text(given.Value)
			}
		}
		list = append(list, a)
	}
	return list
}

func text(v ctypes.Value) string { return generate.ValueText(v) }
