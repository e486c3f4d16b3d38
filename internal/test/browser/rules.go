package browser

import (
	_ "embed"
	"fmt"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

//go:embed rules.js
var rules string

// Breaches lists what of the page breaks a rule: text with too little contrast (WCAG 2, 1.4.3), references to
// nothing, headings that leave a level out, drawings without a description, elements that can be reached but
// have no name, and a page that is wider than its window.
func (p *Page) Breaches() []string {
	p.t.Helper()
	list := Eval[[]string](p, rules+"\nbreaches()")
	for _, n := range call(p, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if !n.Ignored && isFocusable(n) && valueOf(n.Name) == `""` {
			list = append(list, fmt.Sprintf("an element (%s) that can be reached has no name", valueOf(n.Role)))
		}
	}
	return list
}

// Misprints lists what is wrong with the page on paper: what is cut off or dark, and controls. See Print.
func (p *Page) Misprints() []string {
	p.t.Helper()
	return Eval[[]string](p, rules+"\nprinted()")
}

func isFocusable(n *accessibility.Node) bool {
	for _, property := range n.Properties {
		if property.Name == accessibility.PropertyNameFocusable {
			return valueOf(property.Value) == "true" && valueOf(n.Role) != `"RootWebArea"`
		}
	}
	return false
}

// valueOf is a value as JSON.
func valueOf(v *accessibility.Value) string {
	if v == nil || len(v.Value) == 0 {
		return `""`
	}
	return string(v.Value)
}

// Focused goes through the page by Tab, up to so many times, and lists what has the focus each time: its tag, and its
// name or text. It reports an element that cannot be seen or does not show that it has the focus.
func (p *Page) Focused(most int) []string {
	p.t.Helper()
	var list []string
	for range most {
		p.Run(chromedp.KeyEvent(kb.Tab))
		at := Eval[struct{ Name, Wrong string }](p, rules+"\nfocused()")
		if at.Name == "" {
			break
		}
		if at.Wrong != "" {
			p.t.Errorf("%s: %s", at.Name, at.Wrong)
		}
		list = append(list, at.Name)
	}
	return list
}
