//go:build nightly

package e2e

// browserSuites imports all suites.
const browserSuites = "browser.test.mjs"
