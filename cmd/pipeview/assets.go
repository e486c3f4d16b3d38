package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"gpupipe/internal/page"
	"gpupipe/internal/view"
)

//go:embed assets/*.html assets/*.js assets/*.css
var embedded embed.FS

// asset is a file of the page.
type asset struct {
	kind    string // MIME type
	content []byte
}

// kinds are MIME types by extension: those of the system may differ.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
}

// siteAssets are the files of the page by path, with the engine that makes its predictions and the catalogue. All
// are loaded as scripts and styles, which pages of files may do.
func siteAssets(engine string, sources []view.Source) (map[string]asset, error) {
	own, err := fs.Sub(embedded, "assets")
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(own, ".")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"report.js": []byte(page.Script()), "report.css": []byte(page.Style())}
	for _, e := range entries {
		if files[e.Name()], err = fs.ReadFile(own, e.Name()); err != nil {
			return nil, err
		}
	}
	c, err := view.NewCatalogue()
	if err != nil {
		return nil, err
	}
	c.Sources = sources
	catalogue, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	files["catalogue.js"] = fmt.Appendf(nil, "const catalogue = %s;\n", catalogue)
	files["engine.js"] = files[engine]
	out := map[string]asset{}
	for name, content := range files {
		if !strings.HasPrefix(name, "engine_") {
			out["/"+name] = asset{kinds[path.Ext(name)], content}
		}
	}
	return out, nil
}
