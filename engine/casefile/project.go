package casefile

import (
	"errors"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"casebook/engine/evidence"
	"casebook/schema"
)

// ProjectFile holds the settings of a project, at its root.
const ProjectFile = "casebook.yaml"

// Project is what casebook.yaml says, defaults filled in.
type Project struct {
	Site    Site
	Release Release
	Quality evidence.Quality
	Redact  Redact
}

// Site is how the pages present themselves.
type Site struct {
	Title     Text     // nil: the program's own
	BaseURL   string   // "" if the site has no address
	Languages []string // canonical tags; nil: every language that there are messages for
}

// Release holds facts for publication; "" is unknown.
type Release struct {
	SourceCommit, BuildInputs, ImageDigest, DocsVersion string
}

// LoadProject reads casebook.yaml at the root of a project. Without the file everything is as by default.
func LoadProject(fsys fs.FS) (Project, []Fault) {
	defaults := Project{Quality: evidence.DefaultQuality(), Redact: Redact{Rules: map[string]bool{}}}
	data, fault := readFile(fsys, ProjectFile, MaxYAMLBytes)
	if fault != nil {
		if errors.Is(fault.cause, fs.ErrNotExist) {
			return defaults, nil
		}
		return defaults, []Fault{fault.Fault}
	}
	d := read(ProjectFile, data)
	if d.tree == nil {
		return defaults, sorted(d.faults)
	}
	if err := d.checkSettings(); err != nil {
		d.add(mark{}, "", "%v", err)
	}
	root := d.root()
	site := root.get("site")
	checkLanguages(site.get("title"))
	for _, tag := range site.get("languages").items() {
		if fault := checkTag(tag.text()); fault != "" && tag.text() != "" {
			tag.fault("%s", fault)
		}
	}
	if len(d.faults) > 0 {
		return defaults, sorted(d.faults)
	}
	return decodeProject(root, defaults), nil
}

// secretName matches names that people give to keys.
var secretName = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:api)?key$|apikey|secret|token|passw|credential|bearer`)

// checkSettings is the shape, with a clearer word for a key in the file: it must not end up in a repository.
func (d *document) checkSettings() error {
	violations, err := schema.Check("casebook", d.tree)
	if err != nil {
		return err
	}
	for _, v := range violations {
		name := v.Pointer[strings.LastIndexByte(v.Pointer, '/')+1:]
		if v.Name && secretName.MatchString(name) {
			v.Message = "member " + strconv.Quote(name) + " looks like a key: keys come from the environment only, take it out and replace it"
			v.Allowed = nil
		}
		d.violation(v)
	}
	return nil
}

func decodeProject(root value, p Project) Project {
	site, release, quality := root.get("site"), root.get("release"), root.get("quality")
	p.Site = Site{Title: decodeText(site.get("title")), BaseURL: site.get("base_url").text()}
	for _, tag := range site.get("languages").items() {
		p.Site.Languages = append(p.Site.Languages, tag.text())
	}
	p.Release = Release{
		SourceCommit: release.get("source_commit").text(), BuildInputs: release.get("build_inputs").text(),
		ImageDigest: release.get("image_digest").text(), DocsVersion: release.get("docs_version").text(),
	}
	if on, ok := quality.get("filter_spam").node.(bool); ok {
		p.Quality.FilterSpam = on
	}
	for _, domain := range quality.get("blocked_domains").items() {
		p.Quality.BlockedDomains = append(p.Quality.BlockedDomains, domain.text())
	}
	if n := quality.get("max_results_per_domain"); n.present {
		p.Quality.MaxResultsPerDomain = int(number(n))
	}
	p.Redact.Rules = decodeRules(root.get("redact", "rules"))
	return p
}
