// Package casefile reads the manifest of a case, case.yaml, its narratives and the settings of a project.
//
// In go bytes or a folder, out comes a [Case] and every [Fault] of all files at once, each with file, line, column and
// the member it is about. Reading is strict: YAML 1.2 with the core schema, so that a time, "no" and 12:30 are
// strings; no duplicate or merge keys, no tags of one's own, few aliases. The shape is checked by the schemas of
// package schema; what no schema can say (two members that must agree, a folder that must exist) is checked here. The
// package runs nothing, fills in no default and writes nothing.
package casefile
