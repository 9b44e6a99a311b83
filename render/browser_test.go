//go:build browser

package render

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"casebook/engine/evidence"
)

// browser starts a Chromium with a new profile; a missing one fails the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath("chromium"), chromedp.NoSandbox,
		chromedp.UserDataDir(filepath.Join(t.TempDir(), "profile")), chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	allocated, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(allocated)
	t.Cleanup(end)
	do(t, ctx, chromedp.Navigate("about:blank"))
	limited, cancel := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	return limited
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

func eval[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// written puts a site of two packs into a folder whose path has a blank and a letter beyond ASCII, and gives the
// addresses of its pages.
func written(t *testing.T) []string {
	t.Helper()
	r := renderer(t)
	first, second := casePages(t, r, samoa(t)), casePages(t, r, quiet(t))
	index, err := r.IndexPages([]Card{first.Card, second.Card})
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(t.TempDir(), "a b ü")
	var pages []string
	for _, files := range [][]evidence.File{first.Files, second.Files, index, Assets()} {
		for _, f := range files {
			path := filepath.Join(root, filepath.FromSlash(f.Path))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(path, ".html") {
				pages = append(pages, (&url.URL{Scheme: "file", Path: path}).String())
			}
		}
	}
	if len(pages) != 6 {
		t.Fatalf("%d pages, want those of two cases and an index in two languages", len(pages))
	}
	return pages
}

// watch collects what the browser asks for and what it complains of.
type watch struct {
	mutex      sync.Mutex
	requests   []string
	complaints []string
}

func (w *watch) event(event any) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		w.requests = append(w.requests, e.Request.URL)
	case *log.EventEntryAdded:
		w.complaints = append(w.complaints, e.Entry.Text)
	case *runtime.EventConsoleAPICalled:
		w.complaints = append(w.complaints, "console: "+string(e.Type))
	case *runtime.EventExceptionThrown:
		w.complaints = append(w.complaints, e.ExceptionDetails.Text)
	}
}

func (w *watch) taken() (requests, complaints []string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	requests, complaints = w.requests, w.complaints
	w.requests, w.complaints = nil, nil
	return requests, complaints
}

// Every page opens from the disk: it loads nothing but its own files and complains of nothing, its style and script work,
// and it is no wider than a telephone.
func TestBrowserOpensPagesFromDisk(t *testing.T) {
	ctx := browser(t)
	seen := &watch{}
	if err := chromedp.Listen(ctx, seen.event); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, call(network.Enable, network.EnableParams{}))
	for _, page := range written(t) {
		name := filepath.Base(filepath.Dir(page)) + "/" + filepath.Base(page)
		do(t, ctx, chromedp.EmulateViewport(375, 800), chromedp.Navigate(page))
		requests, complaints := seen.taken()
		if len(complaints) > 0 {
			t.Errorf("%s: the browser says %q", name, complaints)
		}
		if len(requests) != 3 {
			t.Errorf("%s: asked for %q, want the page, the style sheet and the script", name, requests)
		}
		for _, address := range requests {
			if !strings.HasPrefix(address, "file:") {
				t.Errorf("%s: asked for %s", name, address)
			}
		}
		if got := eval[string](t, ctx, `document.querySelector("h1").textContent.trim()`); got == "" {
			t.Errorf("%s: no heading", name)
		}
		if got := eval[int](t, ctx, `document.documentElement.scrollWidth`); got > 375 {
			t.Errorf("%s: %d px wide at 375", name, got)
		}
		if bare := eval[bool](t, ctx, `getComputedStyle(document.body).backgroundColor === "rgba(0, 0, 0, 0)"`); bare {
			t.Errorf("%s: the style sheet did not apply", name)
		}
		if inCase := strings.Contains(page, "/cases/"); inCase != eval[bool](t, ctx, `document.querySelector("button.copy") !== null`) {
			t.Errorf("%s: copy buttons are not what the script makes", name)
		}
	}
}

// call is a command of the protocol as a step.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, command, params)
		return err
	})
}

// In the dark a page is dark; on paper it is not empty.
func TestBrowserInTheDarkOnPaper(t *testing.T) {
	ctx := browser(t)
	do(t, ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(written(t)[0]))
	const background = `getComputedStyle(document.body).backgroundColor || ""`
	light := eval[string](t, ctx, background)
	do(t, ctx, call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	}))
	if dark := eval[string](t, ctx, background); dark == light {
		t.Errorf("the background is %s in the dark too", dark)
	}
	paper, err := chromedp.Run(ctx, chromedp.PrintToPDF())
	if err != nil || len(paper) < 10_000 || string(paper[:5]) != "%PDF-" {
		t.Errorf("printed %d bytes, %v", len(paper), err)
	}
}

// Without a script every page has its title, and a case its outcome; the script adds buttons and nothing else.
func TestBrowserWithoutScript(t *testing.T) {
	ctx := browser(t)
	outcomes := 0
	do(t, ctx, call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	for _, page := range written(t) {
		do(t, ctx, chromedp.Navigate(page))
		title, err := chromedp.Run(ctx, chromedp.Text(chromedp.CSS("h1")))
		if err != nil || title == "" {
			t.Errorf("%s: the title is %q, %v", page, title, err)
		}
		if !strings.Contains(page, "samoa") {
			continue
		}
		text, err := chromedp.Run(ctx, chromedp.Text(chromedp.CSS("main")))
		if err != nil || strings.Contains(text, "Copy\n") || strings.Contains(text, "复制\n") {
			t.Errorf("%s: there are buttons without a script, or none of it: %v, %.200s", page, err, text)
		}
		outcome, err := chromedp.Run(ctx, chromedp.Text(chromedp.CSS(".outcome")))
		if err != nil || !strings.Contains(outcome, "2011 D 29 24") {
			t.Errorf("%s: the outcome is %q, %v", page, outcome, err)
		}
		outcomes++
	}
	if outcomes != 2 {
		t.Errorf("%d outcomes, want one a language", outcomes)
	}
}
