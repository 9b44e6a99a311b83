package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"casebook/engine/canon"
	"casebook/engine/casefile"
	"casebook/engine/evidence"
	"casebook/engine/provider"
	"casebook/schema"
)

func newValidate(e *env) *cobra.Command {
	var as string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "validate [case... | file.json...]",
		Short: "check manifests and corpora, or any document against a schema",
		Long: "Checks case.yaml, narratives and corpora of the named cases, all of them without a name, and runs nothing.\n" +
			"With --as NAME it checks documents, or the .json files of folders, against the schema of that name and the rules\n" +
			"that no schema can say, so that other software can use it as a referee. Names: " + strings.Join(schema.Names(), " ") + ".\n\n" +
			"Exit codes: 0 no fault; 1 a document breaks a rule; 2 a case is wrong, or a document can't be read.",
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if as != "" {
				return runValidateAs(e, as, args, asJSON)
			}
			return runValidate(e, args)
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "the schema that the documents must follow")
	cmd.Flags().BoolVar(&asJSON, "json", false, "with --as: print the violations as JSON")
	return cmd
}

func runValidate(e *env, names []string) error {
	p, ids, err := e.choose(e.openProject, names)
	if err != nil {
		return err
	}
	defer p.close()
	all := &faultsError{}
	for _, id := range ids {
		if _, err := p.load(id); err != nil {
			faults, ok := err.(*faultsError)
			if !ok {
				return err
			}
			all.lines = append(all.lines, faults.lines...)
			continue
		}
		e.printf("ok  %s\n", id)
	}
	if len(all.lines) > 0 {
		return all
	}
	return nil
}

// violation is one broken rule of one document.
type violation struct {
	File    string `json:"file"`
	Pointer string `json:"pointer"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

func runValidateAs(e *env, name string, args []string, asJSON bool) error {
	if _, ok := schema.Source(name); !ok {
		return &inputError{err: fmt.Errorf("schema %q: there is none of that name", name), hint: "names: " + strings.Join(schema.Names(), " ")}
	}
	if len(args) == 0 {
		return &inputError{err: fmt.Errorf("validate --as %s: no document named", name)}
	}
	files, err := documents(args)
	if err != nil {
		return &inputError{err: err}
	}
	violations := []violation{}
	for _, file := range files {
		found, err := validateDocument(name, file)
		if err != nil {
			return &inputError{err: fmt.Errorf("%s: %w", file, err)}
		}
		violations = append(violations, found...)
	}
	if asJSON {
		if err := e.printJSON(violations); err != nil {
			return err
		}
	} else {
		for _, v := range violations {
			e.printf("%s: %s: %s (%s)\n", v.File, v.Pointer, v.Message, v.Rule)
		}
		e.printf("%d documents, %d violations\n", len(files), len(violations))
	}
	if len(violations) > 0 {
		return &differsError{fmt.Sprintf("%d violations of %s", len(violations), name)}
	}
	return nil
}

// documents lists the named files, and the .json and .yaml files of named folders.
func documents(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		err := filepath.WalkDir(arg, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			if ending := filepath.Ext(path); path == arg || ending == ".json" || ending == ".yaml" {
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: holds no document", strings.Join(args, ", "))
	}
	return files, nil
}

// validateDocument checks one file; a document that is no JSON at all is an error, not a violation.
func validateDocument(name, file string) ([]violation, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if name == "case" {
		_, faults := casefile.Parse(file, data)
		return faultViolations(file, faults), nil
	}
	tree, err := canon.Parse(data)
	if err != nil {
		return nil, err
	}
	broken, err := schema.Check(name, tree)
	if err != nil {
		return nil, err
	}
	var all []violation
	for _, v := range broken {
		all = append(all, violation{file, v.Pointer, "schema " + v.Keyword, v.Message})
	}
	if name != "response-v3" || len(all) > 0 {
		return all, nil
	}
	response, err := evidence.DecodeResponse(data)
	if err != nil {
		return nil, err
	}
	rules := append(evidence.CheckBanned(tree), response.Validate(provider.Rules())...)
	for _, v := range rules {
		all = append(all, violation{file, v.Pointer, fmt.Sprintf("rule %d", v.Rule), v.Message})
	}
	return all, nil
}

func faultViolations(file string, faults []casefile.Fault) []violation {
	var all []violation
	for _, f := range faults {
		all = append(all, violation{file, f.Path, fmt.Sprintf("line %d:%d", f.Line, f.Column), f.Message})
	}
	return all
}
