package render

import (
	"fmt"
	"slices"
	"strconv"

	"casebook/engine/evidence"
	"casebook/engine/pack"
)

// attemptView is one considered provider, asked or skipped.
type attemptView struct {
	Anchor, Name, Provider string
	Outcome                labelView
	Tone                   string
	Why                    string
	Facts                  pairs
	Tries                  []tryView
	NoTries                string
	Href                   string
}

// tryView is one go at an attempt's request.
type tryView struct {
	Anchor, Name string
	Outcome      labelView
	Origin       string // said beside the heading where the reply was not recorded by casebook itself
	Facts        pairs
	Href         string
}

// attemptPlace names an attempt of the i-th step by its folder, with its place on the page; one of another execution has
// its id alone.
func (v viewer) attemptPlace(i int, id string) (name, place string) {
	if folder := v.folders[i][id]; folder != "" {
		return folder, anchor(v.pack.Steps[i].Spec.ID, folder)
	}
	return id, ""
}

func (v viewer) attempts(step *pack.Step) []attemptView {
	views := make([]attemptView, 0, len(step.Recording.Attempts))
	for _, a := range step.Recording.Attempts {
		views = append(views, v.attempt(step, a))
	}
	return views
}

func (v viewer) attempt(step *pack.Step, a evidence.RecordedAttempt) attemptView {
	id := step.Spec.ID
	view := attemptView{
		Anchor: anchor(id, a.Folder), Name: a.Folder, Provider: a.Record.Provider,
		Outcome: v.w.label("outcome", string(a.Record.Outcome)), Tone: tone(a.Record.Outcome),
		Href: v.file("recordings/" + id + "/" + a.Folder + "/attempt.json"),
	}
	if a.Record.SkipReason != nil {
		view.Why = v.w.label("skip_reason", *a.Record.SkipReason).Text
	}
	view.Facts = v.attemptFacts(step, a.Record)
	for _, t := range a.Tries {
		view.Tries = append(view.Tries, v.try(id, a.Folder, t))
	}
	if len(a.Tries) == 0 {
		view.NoTries = v.w.text("attempt.no_tries")
	}
	return view
}

func tone(o evidence.Outcome) string {
	switch o {
	case evidence.OutcomeSuccess:
		return "good"
	case evidence.OutcomeFailed, evidence.OutcomeCancelled:
		return "bad"
	}
	return "empty"
}

func (v viewer) attemptFacts(step *pack.Step, a evidence.AttemptRecord) pairs {
	var p pairs
	p.addLabel(v.w.text("attempt.decision"), v.w.label("decision", string(a.Decision)))
	if a.SkipReason != nil {
		p.addLabel(v.w.text("attempt.skip_reason"), v.w.label("skip_reason", *a.SkipReason))
	}
	if i := answered(step.Response, a.AttemptID); i >= 0 {
		answer := step.Response.ProviderAttempts[i]
		p.add(v.w.text("attempt.items"), v.w.format("attempt.items_value", answer.ResultCount, answer.RetryCount))
	}
	p.add(v.w.text("fact.started"), v.w.format("fact.started_value", moment(a.StartedAt), a.DurationMS))
	if a.Error != nil {
		p.add(v.w.text("fact.error"), v.errorWords(a.Error))
		p.addCode(v.w.text("fact.error_code"), a.Error.Code)
	}
	p.add(v.w.text("attempt.circuit"), v.w.format("attempt.circuit_value",
		v.w.label("circuit_state", a.CircuitStateBefore).Text, v.w.label("circuit_state", a.CircuitStateAfter).Text))
	p.addLabel(v.w.text("attempt.budget"), v.w.label("budget_decision", a.BudgetDecision))
	p.addCode(v.w.text("fact.endpoint"), a.EndpointID)
	p.addCode(v.w.text("attempt.id"), a.AttemptID)
	return p
}

// answered is the place of an attempt in the response, -1 where it isn't there.
func answered(response *evidence.Response, id string) int {
	if response == nil {
		return -1
	}
	return slices.IndexFunc(response.ProviderAttempts, func(a evidence.Attempt) bool { return a.AttemptID == id })
}

func (v viewer) try(step, folder string, t evidence.TryRecord) tryView {
	stem := fmt.Sprintf("t%02d", t.TryNumber)
	view := tryView{
		Anchor: anchor(step, folder, stem), Name: stem, Outcome: v.w.label("try_outcome", string(t.Outcome)),
		Href: v.file("recordings/" + step + "/" + folder + "/" + stem + ".json"),
	}
	switch t.Origin {
	case evidence.OriginAuthored:
		view.Origin = v.w.text("try.authored")
	case evidence.OriginImported:
		view.Origin = v.w.text("try.imported")
	}
	p := &view.Facts
	p.addLabel(v.w.text("try.origin"), v.w.label("try_origin", t.Origin))
	p.add(v.w.text("fact.started"), v.w.format("fact.started_value", moment(t.StartedAt), t.DurationMS))
	if t.Error != nil {
		p.add(v.w.text("fact.error"), v.w.label("error_class", t.Error.ErrorClass).Text)
		p.addCode(v.w.text("fact.error_code"), t.Error.Code)
		p.add(v.w.text("try.retryable"), v.w.text(yesNo(t.Error.Retryable)))
		if t.Error.RetryAfterMS != nil {
			p.add(v.w.text("try.retry_after"), v.w.format("fact.milliseconds", *t.Error.RetryAfterMS))
		}
	}
	v.exchange(p, t)
	return view
}

func yesNo(yes bool) string {
	if yes {
		return "word.yes"
	}
	return "word.no"
}

// exchange tells the request as sent and the reply as received; what isn't there is said to be missing.
func (v viewer) exchange(p *pairs, t evidence.TryRecord) {
	switch {
	case t.Request != nil:
		p.addCode(v.w.text("try.request"), t.Request.Method+" "+t.Request.URL)
	case t.Origin == evidence.OriginLocal:
		p.add(v.w.text("try.request"), v.w.text("try.request_local"))
	default:
		p.add(v.w.text("try.request"), v.w.text("try.request_missing"))
	}
	if t.HTTP != nil {
		p.addCode(v.w.text("try.http"), strconv.Itoa(t.HTTP.Status)+" "+t.HTTP.ContentType)
	}
	if t.Body == nil {
		p.add(v.w.text("try.body"), v.w.text("try.body_missing"))
		return
	}
	size := v.w.format("word.bytes", t.Body.Bytes)
	if t.Body.Redacted {
		size += v.w.text("try.body_redacted")
	}
	p.add(v.w.text("try.body"), size)
	p.addCode(v.w.text("try.body_sha256"), string(t.Body.BodySHA256))
}
