// Package expect holds the lines of `expect` in case.yaml against the evidence of a pack.
//
// Each line becomes an [Outcome] that says what was wanted, whether it held, and what was there instead. The list of
// kinds is closed; the schema of case.yaml refuses others.
package expect

import (
	"fmt"
	"slices"
	"strings"

	"casebook/engine/casefile"
	"casebook/engine/evidence"
	"casebook/engine/pack"
	"casebook/engine/quote"
)

// Outcome is one line and whether it held.
type Outcome struct {
	Step  string
	Index int // of the line in the step, from 0
	Line  int // in case.yaml
	Want  string
	Held  bool
	Got   string // what was there instead, "" where it held
	Note  string
}

// Check evaluates every line of every step, in the order of case.yaml.
func Check(p *pack.Pack) []Outcome {
	var all []Outcome
	for i := range p.Steps {
		step := &p.Steps[i]
		for j, e := range step.Spec.Expect {
			want, got := evaluate(step, e)
			all = append(all, Outcome{
				Step: step.Spec.ID, Index: j, Line: e.Line, Want: want, Held: got == "", Got: got, Note: e.Note,
			})
		}
	}
	return all
}

// Failed returns the outcomes that did not hold.
func Failed(all []Outcome) []Outcome {
	return slices.DeleteFunc(slices.Clone(all), func(o Outcome) bool { return o.Held })
}

// evaluate says in words what a line wants, and what was there instead, "" if it held.
func evaluate(step *pack.Step, e casefile.Expect) (want, got string) {
	switch {
	case e.Quote != "":
		return checkQuote(step, e)
	case e.Action != "":
		return checkAction(step, e)
	case e.URL != "":
		return checkRank(step, e)
	case e.Results != nil:
		return checkCount(step, *e.Results)
	case e.Cluster != nil:
		return checkCluster(step, e.Cluster)
	case e.Status != "":
		return "status " + e.Status, unless(string(step.Response.Status) == e.Status, "status "+string(step.Response.Status))
	case e.Warning != "":
		return checkWarning(step, e.Warning)
	}
	return checkAttempt(step, e)
}

func unless(held bool, got string) string {
	if held {
		return ""
	}
	return got
}

func checkRank(step *pack.Step, e casefile.Expect) (want, got string) {
	want = fmt.Sprintf("result %d is %s", e.Rank, e.URL)
	if e.Rank > len(step.Response.Results) {
		return want, countOf(step)
	}
	url := step.Response.Results[e.Rank-1].URL.Observed
	return want, unless(url == e.URL, "result "+fmt.Sprint(e.Rank)+" is "+url)
}

func countOf(step *pack.Step) string {
	switch n := len(step.Response.Results); n {
	case 0:
		return "there is no result"
	case 1:
		return "there is 1 result"
	default:
		return fmt.Sprintf("there are %d results", n)
	}
}

func checkCount(step *pack.Step, n int) (want, got string) {
	want = fmt.Sprintf("%d results", n)
	if n == 1 {
		want = "1 result"
	}
	return want, unless(len(step.Response.Results) == n, countOf(step))
}

func checkCluster(step *pack.Step, urls []string) (want, got string) {
	want = "one result holds " + strings.Join(urls, ", ")
	wanted := slices.Sorted(slices.Values(urls))
	for i := range step.Response.Results {
		members := memberURLs(step.Response, &step.Response.Results[i])
		slices.Sort(members)
		if slices.Equal(members, wanted) {
			return want, ""
		}
		if slices.Contains(members, urls[0]) {
			got = "the result with " + urls[0] + " holds " + strings.Join(members, ", ")
		}
	}
	if got == "" {
		got = "no result holds " + urls[0]
	}
	return want, got
}

func memberURLs(response *evidence.Response, result *evidence.Result) []string {
	var urls []string
	for i := range response.Observations {
		if slices.Contains(result.ObservationIDs, response.Observations[i].ObservationID) {
			urls = append(urls, response.Observations[i].URL.Observed)
		}
	}
	return urls
}

func checkWarning(step *pack.Step, code string) (want, got string) {
	var codes []string
	for _, w := range step.Response.Warnings {
		codes = append(codes, w.Code)
	}
	if len(codes) == 0 {
		return "warning " + code, "there is no warning"
	}
	return "warning " + code, unless(slices.Contains(codes, code), "warnings are "+strings.Join(codes, ", "))
}

func checkAction(step *pack.Step, e casefile.Expect) (want, got string) {
	want = fmt.Sprintf("%s (%s) for %s", e.Action, e.Reason, e.URL)
	var actions []string
	for i := range step.Response.Observations {
		o := &step.Response.Observations[i]
		if o.URL.Observed != e.URL {
			continue
		}
		for _, a := range step.Response.PolicyActions {
			if a.ObservationID != o.ObservationID {
				continue
			}
			if string(a.Action) == e.Action && string(a.Reason) == e.Reason {
				return want, ""
			}
			actions = append(actions, fmt.Sprintf("%s (%s)", a.Action, a.Reason))
		}
	}
	if len(actions) == 0 {
		return want, "no policy action names " + e.URL
	}
	return want, "its actions are " + strings.Join(actions, ", ")
}

func checkAttempt(step *pack.Step, e casefile.Expect) (want, got string) {
	want = fmt.Sprintf("attempt %s ends %s", e.Attempt, e.Outcome)
	if e.Tries != nil {
		want += " after " + tries(*e.Tries)
	}
	if e.SkipReason != "" {
		want += " for " + e.SkipReason
	}
	found := attemptsOf(step, e.Attempt)
	switch {
	case len(found) == 0:
		return want, "there is no attempt " + e.Attempt
	case len(found) > 1:
		return want, fmt.Sprintf("%d attempts are of %s; name one by its folder", len(found), e.Attempt)
	}
	a := found[0].Record
	reason := ""
	if a.SkipReason != nil {
		reason = *a.SkipReason
	}
	held := string(a.Outcome) == e.Outcome && (e.Tries == nil || len(a.Tries) == *e.Tries) && (e.SkipReason == "" || reason == e.SkipReason)
	got = fmt.Sprintf("it ended %s after %s", a.Outcome, tries(len(a.Tries)))
	if reason != "" {
		got += " for " + reason
	}
	return want, unless(held, got)
}

func tries(n int) string {
	if n == 1 {
		return "1 try"
	}
	return fmt.Sprintf("%d tries", n)
}

// attemptsOf finds attempts by folder or by provider.
func attemptsOf(step *pack.Step, name string) []evidence.RecordedAttempt {
	var found []evidence.RecordedAttempt
	for _, a := range step.Recording.Attempts {
		if a.Folder == name || a.Record.Provider == name {
			found = append(found, a)
		}
	}
	return found
}

func checkQuote(step *pack.Step, e casefile.Expect) (want, got string) {
	want = fmt.Sprintf("%q in %s", e.Quote, e.In)
	switch {
	case e.Rank > 0:
		want += fmt.Sprintf(" of result %d", e.Rank)
	case e.Attempt != "":
		want += " of attempt " + e.Attempt
	}
	var places []quote.Match
	for _, text := range texts(step, e) {
		places = append(places, quote.FindAll(text, e.Quote)...)
	}
	held := e.Count != nil || len(places) > 0
	if e.Count != nil {
		want += " " + times(*e.Count)
		held = len(places) == *e.Count
	}
	if e.At != nil {
		at := quote.Match{Start: e.At[0], End: e.At[1]}
		want += " at " + span(at)
		held = held && slices.Contains(places, at)
	}
	return want, unless(held, placesIn(places))
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func span(m quote.Match) string { return fmt.Sprintf("[%d, %d)", m.Start, m.End) }

// placesIn says where a quote stands; of many places the first are enough to find the right one.
func placesIn(places []quote.Match) string {
	const most = 10
	if len(places) == 0 {
		return "it is not there"
	}
	var shown []string
	for _, m := range places[:min(len(places), most)] {
		shown = append(shown, span(m))
	}
	if len(places) > most {
		shown = append(shown, "…")
	}
	return "it is there " + times(len(places)) + ", at " + strings.Join(shown, ", ")
}

// texts are the projected texts of the named field: of one result, of those from one attempt, or of all.
func texts(step *pack.Step, e casefile.Expect) []string {
	var from []string
	for _, a := range attemptsOf(step, e.Attempt) {
		from = append(from, a.Record.AttemptID)
	}
	var all []string
	for i := range step.Response.Results {
		result := &step.Response.Results[i]
		if e.Rank > 0 && result.EngineRank != e.Rank || e.Attempt != "" && !isFrom(step.Response, result, from) {
			continue
		}
		if text := result.Field(evidence.SourceField(e.In)); text != nil {
			all = append(all, text.Text)
		}
	}
	return all
}

// isFrom says whether a result has a member that one of the attempts observed.
func isFrom(response *evidence.Response, result *evidence.Result, attempts []string) bool {
	return slices.ContainsFunc(response.Observations, func(o evidence.Observation) bool {
		return slices.Contains(attempts, o.ProviderAttemptID) && slices.Contains(result.ObservationIDs, o.ObservationID)
	})
}
