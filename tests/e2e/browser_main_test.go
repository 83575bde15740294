//go:build !nightly

package e2e

// browserSuites imports the suites of the main paths.
const browserSuites = "main.test.mjs"
