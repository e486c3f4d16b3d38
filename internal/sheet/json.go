package sheet

import (
	"encoding/json"
	"io"
)

// WriteJSON writes a document as indented JSON, and a line end.
func WriteJSON(w io.Writer, document any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(document)
}
