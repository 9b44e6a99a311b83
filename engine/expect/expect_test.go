package expect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/casefile"
	"casebook/engine/evidence"
	"casebook/engine/pack"
)

func text(s string) *evidence.ProjectedText { return &evidence.ProjectedText{Text: s} }

func observation(id, attempt, url string) evidence.Observation {
	return evidence.Observation{ObservationID: id, ProviderAttemptID: attempt, URL: evidence.URL{Observed: url}}
}

// subject is a step with two results, one of them a cluster over two providers, and a third attempt that was skipped.
func subject() *pack.Step {
	skip := "disabled"
	return &pack.Step{
		Spec: casefile.Step{ID: "find"},
		Recording: &evidence.Recording{Attempts: []evidence.RecordedAttempt{
			{Folder: "a0001", Record: evidence.AttemptRecord{AttemptID: "one", Provider: "alpha", Outcome: "success", Tries: []string{"t01", "t02"}}},
			{Folder: "a0002", Record: evidence.AttemptRecord{AttemptID: "two", Provider: "beta", Outcome: "success", Tries: []string{"t01"}}},
			{Folder: "a0003", Record: evidence.AttemptRecord{AttemptID: "three", Provider: "beta", Outcome: "skipped", SkipReason: &skip}},
		}},
		Response: &evidence.Response{
			Status: evidence.StatusDegraded,
			Observations: []evidence.Observation{
				observation("obs_a", "one", "https://a.example/"), observation("obs_b", "two", "https://a.example/?utm_source=x"),
				observation("obs_c", "one", "https://c.example/"),
			},
			Results: []evidence.Result{
				{EngineRank: 1, ObservationIDs: []string{"obs_a", "obs_b"}, URL: evidence.URL{Observed: "https://a.example/"},
					Title: text("Port office"), Snippet: text("port and port")},
				{EngineRank: 2, ObservationIDs: []string{"obs_c"}, URL: evidence.URL{Observed: "https://c.example/"}, Snippet: text("no  port here")},
			},
			PolicyActions: []evidence.PolicyAction{
				{Action: "selected_as_representative", ObservationID: "obs_a", Reason: "dedup_representative"},
				{Action: "demoted", ObservationID: "obs_c", Reason: "domain_diversity"},
				{Action: "selected_as_representative", ObservationID: "obs_c", Reason: "dedup_representative"},
			},
			Warnings: []evidence.Warning{{Code: "wsp.extract.partial"}, {Code: "wsp.content.truncated"}},
		},
	}
}

func number(n int) *int { return &n }

// What each kind of line wants and what it says when that isn't there.
func TestEvaluate(t *testing.T) {
	type line = casefile.Expect
	at := func(start, end int) *[2]int { return &[2]int{start, end} }
	for _, tt := range []struct {
		name      string
		e         line
		want, got string
	}{
		{"rank", line{Rank: 2, URL: "https://c.example/"}, "result 2 is https://c.example/", ""},
		{"rank of another", line{Rank: 2, URL: "https://a.example/"}, "result 2 is https://a.example/", "result 2 is https://c.example/"},
		{"rank below the last", line{Rank: 3, URL: "https://c.example/"}, "result 3 is https://c.example/", "there are 2 results"},
		{"urls as observed", line{Rank: 2, URL: "https://c.example"}, "result 2 is https://c.example", "result 2 is https://c.example/"},
		{"results", line{Results: number(2)}, "2 results", ""},
		{"results, fewer", line{Results: number(1)}, "1 result", "there are 2 results"},
		{"no results", line{Results: number(0)}, "0 results", "there are 2 results"},
		{"cluster", line{Cluster: []string{"https://a.example/?utm_source=x", "https://a.example/"}}, "one result holds https://a.example/?utm_source=x, https://a.example/", ""},
		{"cluster of one", line{Cluster: []string{"https://c.example/"}}, "one result holds https://c.example/", ""},
		{"cluster with one more", line{Cluster: []string{"https://a.example/"}}, "one result holds https://a.example/",
			"the result with https://a.example/ holds https://a.example/, https://a.example/?utm_source=x"},
		{"cluster across results", line{Cluster: []string{"https://c.example/", "https://a.example/"}}, "one result holds https://c.example/, https://a.example/",
			"the result with https://c.example/ holds https://c.example/"},
		{"cluster of nothing", line{Cluster: []string{"https://z.example/"}}, "one result holds https://z.example/", "no result holds https://z.example/"},
		{"status", line{Status: "degraded"}, "status degraded", ""},
		{"another status", line{Status: "ok"}, "status ok", "status degraded"},
		{"warning", line{Warning: "wsp.content.truncated"}, "warning wsp.content.truncated", ""},
		{"another warning", line{Warning: "wsp.cache.miss"}, "warning wsp.cache.miss", "warnings are wsp.extract.partial, wsp.content.truncated"},
		{"action", line{Action: "demoted", Reason: "domain_diversity", URL: "https://c.example/"}, "demoted (domain_diversity) for https://c.example/", ""},
		{"action of another", line{Action: "demoted", Reason: "domain_diversity", URL: "https://a.example/"}, "demoted (domain_diversity) for https://a.example/",
			"its actions are selected_as_representative (dedup_representative)"},
		{"another reason", line{Action: "demoted", Reason: "intent_authority", URL: "https://c.example/"}, "demoted (intent_authority) for https://c.example/",
			"its actions are demoted (domain_diversity), selected_as_representative (dedup_representative)"},
		{"no action", line{Action: "excluded", Reason: "spam_domain", URL: "https://a.example/?utm_source=x"}, "excluded (spam_domain) for https://a.example/?utm_source=x",
			"no policy action names https://a.example/?utm_source=x"},
		{"attempt", line{Attempt: "alpha", Outcome: "success"}, "attempt alpha ends success", ""},
		{"attempt after tries", line{Attempt: "alpha", Outcome: "success", Tries: number(2)}, "attempt alpha ends success after 2 tries", ""},
		{"attempt after fewer", line{Attempt: "alpha", Outcome: "success", Tries: number(1)}, "attempt alpha ends success after 1 try", "it ended success after 2 tries"},
		{"attempt of another outcome", line{Attempt: "alpha", Outcome: "failed"}, "attempt alpha ends failed", "it ended success after 2 tries"},
		{"attempt by folder", line{Attempt: "a0003", Outcome: "skipped", SkipReason: "disabled", Tries: number(0)}, "attempt a0003 ends skipped after 0 tries for disabled", ""},
		{"attempt for any reason", line{Attempt: "a0003", Outcome: "skipped"}, "attempt a0003 ends skipped", ""},
		{"attempt for another reason", line{Attempt: "a0003", Outcome: "skipped", SkipReason: "circuit_open"}, "attempt a0003 ends skipped for circuit_open",
			"it ended skipped after 0 tries for disabled"},
		{"one try", line{Attempt: "a0002", Outcome: "failed"}, "attempt a0002 ends failed", "it ended success after 1 try"},
		{"attempts of one provider", line{Attempt: "beta", Outcome: "success"}, "attempt beta ends success", "2 attempts are of beta; name one by its folder"},
		{"no attempt", line{Attempt: "gamma", Outcome: "success"}, "attempt gamma ends success", "there is no attempt gamma"},
		{"quote", line{Quote: "no port", In: "snippet"}, `"no port" in snippet`, ""},
		{"quote in another field", line{Quote: "no port", In: "title"}, `"no port" in title`, "it is not there"},
		{"quote of a rank", line{Quote: "port", In: "snippet", Rank: 2}, `"port" in snippet of result 2`, ""},
		{"quote of another rank", line{Quote: "here", In: "snippet", Rank: 1}, `"here" in snippet of result 1`, "it is not there"},
		{"quote of an attempt", line{Quote: "and", In: "snippet", Attempt: "a0002"}, `"and" in snippet of attempt a0002`, ""},
		{"quote of another attempt", line{Quote: "here", In: "snippet", Attempt: "beta"}, `"here" in snippet of attempt beta`, "it is not there"},
		{"quote counted", line{Quote: "port", In: "snippet", Count: number(3)}, `"port" in snippet 3 times`, ""},
		{"quote counted once", line{Quote: "here", In: "snippet", Count: number(1)}, `"here" in snippet once`, ""},
		{"quote counted otherwise", line{Quote: "port", In: "snippet", Rank: 1, Count: number(1)}, `"port" in snippet of result 1 once`, "it is there 2 times, at [0, 4), [9, 13)"},
		{"quote that must not be there", line{Quote: "ship", In: "snippet", Count: number(0)}, `"ship" in snippet 0 times`, ""},
		{"quote that is there all the same", line{Quote: "here", In: "snippet", Count: number(0)}, `"here" in snippet 0 times`, "it is there once, at [9, 13)"},
		{"quote at its place", line{Quote: "no port", In: "snippet", At: at(0, 8)}, `"no port" in snippet at [0, 8)`, ""},
		{"quote at another start", line{Quote: "port", In: "snippet", Rank: 1, At: at(1, 4)}, `"port" in snippet of result 1 at [1, 4)`, "it is there 2 times, at [0, 4), [9, 13)"},
		{"quote at another end", line{Quote: "port", In: "snippet", Rank: 1, At: at(0, 5)}, `"port" in snippet of result 1 at [0, 5)`, "it is there 2 times, at [0, 4), [9, 13)"},
		{"quote at no place", line{Quote: "ship", In: "snippet", At: at(0, 4)}, `"ship" in snippet at [0, 4)`, "it is not there"},
		{"quote counted and placed", line{Quote: "port", In: "snippet", Rank: 1, Count: number(2), At: at(9, 13)}, `"port" in snippet of result 1 2 times at [9, 13)`, ""},
		{"quote counted right and placed wrong", line{Quote: "port", In: "snippet", Rank: 1, Count: number(2), At: at(8, 12)},
			`"port" in snippet of result 1 2 times at [8, 12)`, "it is there 2 times, at [0, 4), [9, 13)"},
		{"quote counted wrong and placed right", line{Quote: "port", In: "snippet", Rank: 1, Count: number(3), At: at(9, 13)},
			`"port" in snippet of result 1 3 times at [9, 13)`, "it is there 2 times, at [0, 4), [9, 13)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want, got := evaluate(subject(), tt.e)
			if want != tt.want || got != tt.got {
				t.Errorf("evaluate = %q, %q, want %q, %q", want, got, tt.want, tt.got)
			}
		})
	}
}

func TestEvaluateOfNothing(t *testing.T) {
	empty := &pack.Step{Recording: &evidence.Recording{}, Response: &evidence.Response{}}
	for want, e := range map[string]casefile.Expect{
		"there is no result":  {Rank: 1, URL: "https://a.example/"},
		"there is no warning": {Warning: "wsp.cache.miss"},
	} {
		if _, got := evaluate(empty, e); got != want {
			t.Errorf("evaluate = %q, want %q", got, want)
		}
	}
	one := subject()
	one.Response.Results = one.Response.Results[:1]
	if _, got := evaluate(one, casefile.Expect{Results: number(2)}); got != "there is 1 result" {
		t.Errorf("evaluate = %q, want one result", got)
	}
}

func TestManyPlacesAreCutShort(t *testing.T) {
	step := subject()
	step.Response.Results[0].Snippet = text(strings.Repeat("a ", 11))
	_, got := evaluate(step, casefile.Expect{Quote: "a", In: "snippet", Rank: 1, Count: number(1)})
	const want = "it is there 11 times, at [0, 1), [2, 3), [4, 5), [6, 7), [8, 9), [10, 11), [12, 13), [14, 15), [16, 17), [18, 19), …"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	step.Response.Results[0].Snippet = text(strings.Repeat("a ", 10))
	if _, got := evaluate(step, casefile.Expect{Quote: "a", In: "snippet", Rank: 1, Count: number(1)}); strings.Contains(got, "…") {
		t.Errorf("got %q, want ten places whole", got)
	}
}

// Outcomes stand in the order of case.yaml and know their line.
func TestCheck(t *testing.T) {
	step := subject()
	step.Spec.Expect = []casefile.Expect{{Status: "ok", Line: 12, Note: "why"}, {Results: number(2), Line: 13}}
	other := subject()
	other.Spec = casefile.Step{ID: "again", Expect: []casefile.Expect{{Status: "degraded", Line: 20}}}
	all := Check(&pack.Pack{Steps: []pack.Step{*step, *other}})
	want := []Outcome{
		{Step: "find", Index: 0, Line: 12, Want: "status ok", Got: "status degraded", Note: "why"},
		{Step: "find", Index: 1, Line: 13, Want: "2 results", Held: true},
		{Step: "again", Index: 0, Line: 20, Want: "status degraded", Held: true},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[:1], Failed(all)); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
	if len(all) != 3 || !all[1].Held {
		t.Error("Failed changed what it was given")
	}
}
