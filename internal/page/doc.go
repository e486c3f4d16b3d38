// Package page shows a predicted run in a browser: the headline and findings of the report, the source with what each
// line costs and why, what warps and pipelines do over time, two rooflines, and the dependence graph.
//
// It consumes a report.Prediction and produces a Data; WriteHTML writes one or several as one file that loads nothing.
// Texts and numbers are those of the report, from the same functions; the timeline is that of a recorded run
// (simulate.Launch.Record), of which a script finds out what each warp does when.
//
// The scripts in assets/ are plain JavaScript without a build step. Their types stand in comments, and a test has the
// TypeScript compiler check them against what it makes of the Go types: Page.Data is Data. Each drawing takes an
// element, its data and a Hub, which tells all drawings what is looked at:
//
//	drawTimeline(element, data.timeline, hub)
//	showReport(element, data)
//
// Invariants: lists are never null; texts are never markup; same prediction, same bytes.
package page
