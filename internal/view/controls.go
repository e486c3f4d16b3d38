package view

import (
	"regexp"
	"strings"

	"gpupipe/internal/page"
)

// controls are those of the page that do what flags of idgen and pipesim do.
var controls = map[string]string{
	"arg": `"Arguments"`, "define": `"Macros"`, "local": `"Work group (block)"`, "global": `"Work items in all"`,
	"groups": `"Work items in all"`,
	"gpu":    `"Device"`, "unroll": `"Unroll by"`, "issue": `"Issue mode"`, "issue-limit": `"Issue limit"`,
	"scheduler":  `"Scheduler"`,
	"concurrent": `"Resident groups"`, "set": `"λ and Λ"`,
}

const flagPattern = `(?:(?:idgen|pipesim)(?:'s)? )?--([a-z][a-z-]*)(?: ('[^']*'|[^\s,;()]+=[^\s,;()]+))?`

var (
	flag     = regexp.MustCompile(flagPattern)
	joined   = regexp.MustCompile(`(?:,? or|,? and|,) ` + flagPattern)
	aside    = regexp.MustCompile(` \([^()]*--[^()]*\)`)
	commands = regexp.MustCompile(`\b(?:idgen|pipesim)(?:[^:\w]|$)`)
	ways     = strings.NewReplacer(", or --", "\n--", ", --", "\n--")
	repeated = strings.NewReplacer(`"Work items in all" or "Work items in all"`, `"Work items in all"`)
)

// hasOther reports whether a text names a flag that no control stands for.
func hasOther(text string) bool {
	for _, m := range flag.FindAllStringSubmatch(text, -1) {
		if controls[m[1]] == "" {
			return true
		}
	}
	return false
}

// named is a text with the names of controls instead of flags. Asides about other flags are left out.
func named(text string) string {
	leaveOut := func(part string) string {
		if hasOther(part) {
			return ""
		}
		return part
	}
	text = joined.ReplaceAllStringFunc(aside.ReplaceAllStringFunc(text, leaveOut), leaveOut)
	return repeated.Replace(flag.ReplaceAllStringFunc(text, func(found string) string {
		m := flag.FindStringSubmatch(found)
		switch control := controls[m[1]]; {
		case control == "":
			return found
		case m[2] != "":
			return m[2] + " in " + control
		default:
			return control
		}
	}))
}

// advice is what of an advice can be done on the page, with the names of controls; empty if nothing.
func advice(text string) string {
	var clauses []string
	for clause := range strings.SplitSeq(text, "; ") {
		if rest, gives := strings.CutPrefix(clause, "give "); gives {
			var left []string
			for way := range strings.SplitSeq(ways.Replace(rest), "\n") {
				if !hasOther(way) {
					left = append(left, way)
				}
			}
			clause = ""
			if len(left) > 0 {
				clause = "give " + strings.Join(left, ", or ")
			}
		}
		if clause = named(clause); clause != "" && !flag.MatchString(clause) && !commands.MatchString(clause) {
			clauses = append(clauses, clause)
		}
	}
	return strings.Join(clauses, "; ")
}

// settled is named for a text that ends with what idgen's flags settle: as far as the page has controls for them.
func settled(text string) string {
	said, ways, ok := strings.Cut(text, "; idgen ")
	if !ok {
		return named(text)
	}
	flags, rest, _ := strings.Cut(ways, " settles it")
	rest = named(rest)
	if hasOther(rest) {
		rest = ""
	}
	if flags = advice("give " + strings.ReplaceAll(flags, " or --", ", or --")); flags != "" {
		return named(said) + "; " + strings.TrimPrefix(flags, "give ") + " settles it" + rest
	}
	return named(said) + strings.Replace(rest, ",", ";", 1)
}

// advices are those of a list of which something can be done on the page.
func advices(list []string) (out []string) {
	for _, text := range list {
		if text = advice(text); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// nameControls puts the names of controls into the texts of a page.
func nameControls(d *page.Data) {
	for i := range d.Facts {
		d.Facts[i].Text = settled(d.Facts[i].Text)
	}
	d.Nothing = settled(d.Nothing)
	for i := range d.Assumptions {
		a := &d.Assumptions[i]
		a.Text, a.Advice = named(a.Text), strings.Join(advices(strings.Split(a.Advice, "\n")), "\n")
	}
	for i := range d.Instructions {
		x := &d.Instructions[i]
		x.Source, x.Assumed = named(x.Source), named(x.Assumed)
	}
	d.NoTimeline = named(d.NoTimeline)
}
