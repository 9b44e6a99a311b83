//go:build browser

package render

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
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

// Every page opens from the disk: it loads nothing but its own files, its style and script work, and it is no wider
// than a telephone.
func TestBrowserOpensPagesFromDisk(t *testing.T) {
	ctx := browser(t)
	for _, page := range written(t) {
		name := filepath.Base(filepath.Dir(page)) + "/" + filepath.Base(page)
		do(t, ctx, chromedp.EmulateViewport(375, 800), chromedp.Navigate(page))
		if got := eval[string](t, ctx, `document.querySelector("h1").textContent.trim()`); got == "" {
			t.Errorf("%s: no heading", name)
		}
		if got := eval[int](t, ctx, `document.documentElement.scrollWidth`); got > 375 {
			t.Errorf("%s: %d px wide at 375", name, got)
		}
		loaded := eval[[]string](t, ctx, `[...document.querySelectorAll("[src], link[rel=stylesheet]")].map(e => e.src || e.href)`)
		if len(loaded) != 2 {
			t.Errorf("%s: loaded %q, want the style sheet and the script", name, loaded)
		}
		for _, address := range loaded {
			if !strings.HasPrefix(address, "file:") {
				t.Errorf("%s: loaded %s", name, address)
			}
		}
		if bare := eval[bool](t, ctx, `getComputedStyle(document.body).backgroundColor === "rgba(0, 0, 0, 0)"`); bare {
			t.Errorf("%s: the style sheet did not apply", name)
		}
		if inCase := strings.Contains(page, "/cases/"); inCase != eval[bool](t, ctx, `document.querySelector("button.copy") !== null`) {
			t.Errorf("%s: copy buttons are not what the script makes", name)
		}
	}
}

// Without a script the page says the same; in the dark it is dark; on paper it is not empty.
func TestBrowserWithoutScriptInTheDarkOnPaper(t *testing.T) {
	ctx := browser(t)
	page := written(t)[0]
	do(t, ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(page))
	const background = `getComputedStyle(document.body).backgroundColor || ""`
	const words = `document.querySelector("main").innerText.replace(/\bCopy\b|复制/g, "").replace(/\s+/g, " ").trim()`
	light, text := eval[string](t, ctx, background), eval[string](t, ctx, words)
	if !strings.Contains(text, "2011 D 29 24") {
		t.Fatalf("the outcome is not on the page: %.200s", text)
	}
	do(t, ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
		})
		return err
	}))
	if dark := eval[string](t, ctx, background); dark == light {
		t.Errorf("the background is %s in the dark too", dark)
	}
	paper, err := chromedp.Run(ctx, chromedp.PrintToPDF())
	if err != nil || len(paper) < 10_000 || string(paper[:5]) != "%PDF-" {
		t.Errorf("printed %d bytes, %v", len(paper), err)
	}
	do(t, ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}), chromedp.Navigate(page))
	still, err := chromedp.Run(ctx, chromedp.Text(chromedp.CSS("main")))
	if err != nil || !strings.Contains(still, "2011 D 29 24") || strings.Contains(still, "Copy\n") {
		t.Errorf("without a script the page says %.200s, %v", still, err)
	}
}
