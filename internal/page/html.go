package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"
)

//go:embed assets/*.js assets/page.css
var assets embed.FS

// scripts are the drawings, each in front of those that use it.
var scripts = []string{"base", "theme", "timelinedata", "timelinefine", "timelinepaint", "timeline", "highlight",
	"source",
	"plot", "graph", "report"}

// Script is the drawings: functions that draw parts of a Data, and showReport, which draws all of it. A
// page may hold it together with scripts of its own.
func Script() string { return joined(scripts...) }

// Style is what the drawings look like.
func Style() string { return asset("page.css") }

func joined(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(asset(name + ".js"))
	}
	return b.String()
}

// asset is an embedded file.
func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// WriteHTML writes a page for one or several runs, of which it shows one at a time, as one file that needs no other
// and asks for none.
func WriteHTML(w io.Writer, runs ...*Data) error {
	data, err := json.Marshal(runs) // escapes <, > and &, so that no text ends the element that holds it
	if err != nil {
		return err
	}
	script, style := "\n"+Script()+asset("start.js"), "\n"+Style()
	policy := fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; "+
		"form-action 'none'", digest(script), digest(style))
	_, err = fmt.Fprintf(w, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>%s</title>
<style>%s</style>
</head>
<body>
<main id="report"><noscript>This page needs JavaScript, which it contains: it loads nothing.</noscript></main>
<script type="application/json" id="data">%s</script>
<script>%s</script>
</body>
</html>
`, policy, html.EscapeString(runs[0].Title), style, data, script)
	return err
}

// digest is how a Content Security Policy names a script or style that it allows.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
