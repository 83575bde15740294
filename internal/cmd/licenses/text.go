package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// rule separates texts.
const rule = "------------------------------------------------------------------------------"

// notices returns each text once, after the modules that have it and the licences recognised in
// it, in the order of the modules.
func notices(modules []module) (string, error) {
	var order []string
	titles := map[string][]string{}
	for _, m := range modules {
		known := false
		for _, file := range m.files {
			raw, err := os.ReadFile(file) //nolint:gosec // go list has named it
			if err != nil {
				return "", err
			}
			text := strings.TrimSpace(strings.ReplaceAll(string(raw), "\r\n", "\n"))
			names := licences(raw)
			known = known || len(names) > 0
			if titles[text] == nil {
				order = append(order, text)
			}
			titles[text] = append(titles[text], title(m, file, names))
		}
		if !known {
			return "", fmt.Errorf("%s has no licence that is known, in %q", m.title, m.files)
		}
	}
	var out strings.Builder
	out.WriteString("Tideline is built from these Go modules.\n")
	for _, text := range order {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", rule, strings.Join(slices.Compact(titles[text]), "\n"), text)
	}
	return out.String(), nil
}

// title names a module, with the licences in a file or else the name of the file.
func title(m module, file string, names []string) string {
	if len(names) == 0 {
		names = []string{filepath.Base(file)}
	}
	return fmt.Sprintf("%s (%s)", m.title, strings.Join(names, ", "))
}

// licences returns the SPDX names of the licences in a text.
func licences(text []byte) []string {
	var names []string
	for _, m := range licensecheck.Scan(text).Match {
		if !m.IsURL && !slices.Contains(names, m.ID) {
			names = append(names, m.ID)
		}
	}
	return names
}
