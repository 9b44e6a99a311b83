package render

import (
	"strconv"
	"strings"

	"casebook/engine/evidence"
	"casebook/engine/pack"
)

// stepView is one step: what was asked, what came back and what shaped it.
type stepView struct {
	ID, Anchor, Heading string
	Archive             string // that it is a replay, and of what time
	State               stateView
	Facts               pairs
	Request             string
	RequestHref         string
	Query               string
	URLs                []string
	Results             []resultView
	NoResults           string
	Observations        []observationView
	NoObservations      string
	Unused              string
	Attempts            []attemptView
	Actions             []actionView
	Diversity           string
	Warnings            []warningView
	Routing             pairs
	Candidates          []candidateView
	Cache               pairs
	Files               []pairView
}

// stateView is what became of a step in one sentence.
type stateView struct {
	Text  string
	Alert bool
	Tone  string // good, empty or bad: how the page colours it
}

// actionView is what was done for one reason, in plain words, to the observations that follow each other in the response.
type actionView struct {
	Action, Why labelView
	Numbers     string // of the observations, in place of On where the results link them
	On          []placeView
}

// placeView is a place on the page; Target is "" where there is none.
type placeView struct{ Text, Target string }

// warningView is one warning.
type warningView struct {
	Label   labelView
	Message string
	Details string
}

// candidateView is one line of the routing receipt.
type candidateView struct {
	Position, Provider string
	Decision, Reason   labelView
	Attempt, Target    string
}

func (v viewer) step(i int) stepView {
	step := &v.pack.Steps[i]
	id := step.Spec.ID
	view := stepView{
		ID: id, Anchor: stepAnchor(id), State: v.stepState(i),
		Heading: v.w.format("step.heading", i+1, len(v.pack.Steps), v.w.label("step_kind", step.Spec.Kind).Text),
		Facts:   v.stepFacts(step), Request: string(step.Spec.Request),
		RequestHref: v.file("recordings/" + id + "/request.json"),
		Files:       v.stepFiles(id),
	}
	if step.Recording != nil {
		view.Request = string(step.Recording.Request.Request)
		view.Attempts = v.attempts(step)
		if step.Mode == evidence.ModeReplay {
			view.Archive = v.w.format("step.replay", moment(step.Recording.Execution.FinishedAt))
		}
	}
	if step.Response == nil {
		return view
	}
	v.fillResponse(&view, i)
	return view
}

func (v viewer) fillResponse(view *stepView, i int) {
	response := v.pack.Steps[i].Response
	for j := range response.Results {
		view.Results = append(view.Results, v.result(i, &response.Results[j]))
	}
	used := v.usedBy(response)
	unused := 0
	for j := range response.Observations {
		view.Observations = append(view.Observations, v.observation(i, j, used))
		if _, ok := used[response.Observations[j].ObservationID]; !ok {
			unused++
		}
	}
	view.NoResults, view.NoObservations = v.emptyWords(&v.pack.Steps[i])
	if unused > 0 {
		view.Unused = v.w.format("observations.unused", unused)
	}
	view.Actions = v.actions(i)
	view.Diversity = v.diversity(response.SourceDiversity)
	view.Warnings = v.warnings(response.Warnings)
	view.Routing, view.Candidates = v.routing(i)
	view.Cache = v.cache(response.CacheStatus)
}

// emptyWords tells nothing found from asked in vain, and that from nobody asked.
func (v viewer) emptyWords(step *pack.Step) (results, observations string) {
	switch inVain(step) {
	case askedInVain:
		return v.w.text("results.failed"), v.w.text("observations.failed")
	case allSkipped:
		return v.w.text("results.skipped"), v.w.text("observations.skipped")
	case nobodyAsked:
		return v.w.text("results.nobody"), v.w.text("observations.nobody")
	}
	if len(step.Response.Observations) == 0 {
		return v.w.text("results.nothing_found"), v.w.text("observations.nothing_found")
	}
	return v.w.text("results.all_dropped"), ""
}

// stepState says what became of a step. Nothing found, asked in vain and nobody asked are different sentences.
func (v viewer) stepState(i int) stateView {
	r := v.pack.Steps[i].Response
	if r == nil {
		return stateView{Text: v.w.text("outcome.no_response"), Alert: true, Tone: "bad"}
	}
	switch inVain(&v.pack.Steps[i]) {
	case askedInVain:
		why := v.w.text("outcome.no_error")
		if r.Error != nil {
			why = v.errorWords(r.Error)
		}
		return stateView{Text: v.w.format("outcome.failed", why), Alert: true, Tone: "bad"}
	case allSkipped:
		return stateView{Text: v.w.text("outcome.skipped"), Alert: true, Tone: "bad"}
	case nobodyAsked:
		return stateView{Text: v.w.text("outcome.nobody"), Alert: true, Tone: "bad"}
	}
	n, m := len(r.Results), len(r.Observations)
	switch {
	case m == 0:
		return stateView{Text: v.w.text("outcome.nothing_found"), Alert: true, Tone: "empty"}
	case n == 0:
		return stateView{Text: v.w.format("outcome.all_dropped", m), Alert: true, Tone: "empty"}
	case r.Status == evidence.StatusDegraded:
		return stateView{Text: v.w.format("outcome.degraded", n, v.w.format("outcome.from", m)), Alert: true, Tone: "empty"}
	}
	return stateView{Text: v.w.format("outcome.found", n, v.w.format("outcome.from", m)), Tone: "good"}
}

func (v viewer) stepFacts(step *pack.Step) pairs {
	var p pairs
	p.addLabel(v.w.text("fact.mode"), v.w.label("mode", step.Mode))
	if r := step.Response; r != nil {
		p.addLabel(v.w.text("fact.status"), v.w.label("status", string(r.Status)))
		if r.Error != nil {
			p.add(v.w.text("fact.error"), v.errorWords(r.Error))
			p.addCode(v.w.text("fact.error_code"), r.Error.Code)
		}
	}
	if step.Response != nil && len(step.Response.Observations) > 0 {
		p.addLabel(v.w.text("fact.kind"), v.w.label("kind", string(step.Response.Observations[0].Kind)))
	}
	if rec := step.Recording; rec != nil {
		p.addLabel(v.w.text("fact.executed"), v.w.label("execution_mode", rec.Execution.Mode))
		finished := "fact.finished"
		if step.Mode == evidence.ModeReplay {
			finished = "fact.recorded"
		}
		p.add(v.w.text(finished), moment(rec.Execution.FinishedAt))
		if c := rec.Execution.Corpus; c != nil {
			p.add(v.w.text("fact.corpus"), c.Name)
			p.addCode(v.w.text("fact.corpus_digest"), string(c.SHA256))
		}
		p.addCode(v.w.text("fact.execution_id"), rec.Execution.ExecutionID)
		if e := rec.Execution.Engine; e.Name != "" {
			p.add(v.w.text("fact.engine"), e.Name+" "+e.Version)
		}
	}
	if step.Response != nil {
		v.limits(&p, step.Response.LimitsApplied)
	}
	return p
}

func (v viewer) limits(p *pairs, l evidence.Limits) {
	if l.MaxResults != nil {
		p.add(v.w.text("fact.max_results"), v.w.number(int64(*l.MaxResults)))
	}
	e := l.Extract
	if e == nil {
		return
	}
	p.add(v.w.text("fact.urls"), v.w.format("fact.urls_value", e.RequestedURLCount, len(e.ProcessedURLs), e.OmittedURLCount))
	p.add(v.w.text("fact.context"), v.w.format("fact.context_value", e.ContextCharsReturned, e.MaxContextChars))
	if e.Truncated {
		p.add(v.w.text("fact.cut"), v.w.text("fact.cut_value"))
	}
	if len(e.OmittedURLs) > 0 {
		p.add(v.w.text("fact.omitted"), strings.Join(e.OmittedURLs, " "))
	}
}

func (v viewer) errorWords(e *evidence.Error) string {
	return e.Message + " (" + v.w.label("error_class", e.ErrorClass).Text + ")"
}

func (v viewer) stepFiles(id string) []pairView {
	var files []pairView
	for _, name := range []string{
		"evidence/" + id + "/observations.ndjson", "evidence/" + id + "/response.json",
		"recordings/" + id + "/execution.json", "recordings/" + id + "/request.json",
	} {
		if href := v.file(name); href != "" {
			files = append(files, pairView{Name: "data/" + name, Href: href})
		}
	}
	return files
}

// packFile is the address of a file of the pack from the page's folder.
func (v viewer) packFile(path string) string { return "../../packs/" + v.pack.Name + "/" + path }

// file is the address of a payload file, "" where the pack has none of that name.
func (v viewer) file(path string) string {
	path = "data/" + path
	if !v.paths[path] {
		return ""
	}
	return v.packFile(path)
}

func (v viewer) actions(i int) []actionView {
	step := &v.pack.Steps[i]
	all := step.Response.PolicyActions
	var views []actionView
	for n, a := range all {
		if n == 0 || all[n-1].Action != a.Action || all[n-1].Reason != a.Reason {
			views = append(views, actionView{Action: v.w.label("action", string(a.Action)), Why: v.w.label("reason", string(a.Reason))})
		}
		last := &views[len(views)-1]
		position := v.positions[i][a.ObservationID]
		switch {
		case position == 0:
			last.On = append(last.On, placeView{Text: a.ObservationID})
		case a.Action == evidence.ActionSelected: // the results link them
			if last.Numbers != "" {
				last.Numbers += v.w.text("word.comma")
			}
			last.Numbers += strconv.Itoa(position)
		default:
			last.On = append(last.On, placeView{
				Text:   strconv.Itoa(position) + " · " + step.Response.Observations[position-1].URL.Observed,
				Target: observationAnchor(step.Spec.ID, position),
			})
		}
	}
	return views
}

func (v viewer) diversity(d evidence.Diversity) string {
	said := v.w.format("diversity.counts", d.ProviderCount, d.HostCount, d.SourceFamilyCount, d.UniqueClusterCount)
	method := strings.TrimSpace(d.Method + " " + d.MethodVersion)
	if d.MethodDegraded {
		return v.w.sentences(said, v.w.format("diversity.degraded", method))
	}
	return v.w.sentences(said, v.w.format("diversity.method", method))
}

func (v viewer) warnings(all []evidence.Warning) []warningView {
	var views []warningView
	for _, w := range all {
		label := v.w.label("warning", strings.TrimPrefix(w.Code, "wsp."))
		if label.Code != "" {
			label.Code = w.Code
		} else {
			label.Text = w.Code
		}
		message := w.Message
		if w.Reason != "" {
			message = strings.TrimSpace(message + " " + w.Reason)
		}
		views = append(views, warningView{Label: label, Message: message, Details: string(w.Details)})
	}
	return views
}

func (v viewer) routing(i int) (pairs, []candidateView) {
	r := v.pack.Steps[i].Response.RoutingReceipt
	var p pairs
	if r.SelectedProvider != nil {
		p.add(v.w.text("routing.selected"), *r.SelectedProvider)
	} else {
		p.add(v.w.text("routing.selected"), v.w.text("routing.nobody"))
	}
	p.addLabel(v.w.text("routing.fallback"), v.w.label("fallback_reason", r.FallbackReason))
	p.addLabel(v.w.text("routing.mode"), v.w.label("receipt_mode", r.Mode))
	p.addCode(v.w.text("routing.policy"), strings.TrimSpace(r.PolicyID+" "+r.PolicyRevision))
	if r.Completion == nil {
		return p, nil
	}
	var views []candidateView
	for _, d := range r.CandidateDecisions {
		view := candidateView{
			Position: strconv.Itoa(d.Position), Provider: d.Provider,
			Decision: v.w.label("candidate_decision", d.Decision), Reason: v.w.label("candidate_reason", d.ReasonCode),
		}
		if d.AttemptID != nil {
			view.Attempt, view.Target = v.attemptPlace(i, *d.AttemptID)
		}
		views = append(views, view)
	}
	if o := r.CacheOrigin; o != nil {
		p.addCode(v.w.text("routing.origin"), o.ExecutionID)
	}
	return p, views
}

func (v viewer) cache(c evidence.CacheStatus) pairs {
	var p pairs
	p.addLabel(v.w.text("cache.disposition"), v.w.label("cache_disposition", string(c.Disposition)))
	if c.AgeSeconds != nil {
		p.add(v.w.text("cache.age"), v.w.format("cache.seconds", *c.AgeSeconds))
	}
	if c.TTLSeconds != nil {
		p.add(v.w.text("cache.ttl"), v.w.format("cache.seconds", *c.TTLSeconds))
	}
	p.addCode(v.w.text("cache.origin"), c.OriginExecutionID)
	p.addCode(v.w.text("cache.entry"), c.EntryID)
	p.addCode(v.w.text("cache.write_error"), c.WriteError)
	return p
}
