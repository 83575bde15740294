#!/bin/sh
# Checks what the tests do not: format, lint, known vulnerabilities, deployment files, and that
# generated code and built web files match their sources. It runs the rules of internal/archtest
# first, because they fail most often.
set -eu
cd "$(dirname "$0")/.."

fail() {
	echo "$1" >&2
	exit 1
}

. scripts/goflags.sh

echo "tools"
# The linters have their own module, which keeps their dependencies out of the others.
go build -C tools -o ../bin/ github.com/golangci/golangci-lint/v2/cmd/golangci-lint golang.org/x/vuln/cmd/govulncheck

. scripts/modules.sh

echo "rules of imports, prose and names"
# With the flags of scripts/test.sh, whose result then counts.
scripts/gotest.sh -vet=off -timeout 60m ./internal/archtest

# It includes go vet, with all of its rules.
echo "golangci-lint, with gofumpt and go vet"
linter=$PWD/bin/golangci-lint
for module in . $modules deploy/lint; do (cd "$module" && "$linter" run ./...); done

echo "generators of licences and of the schema's code"
# They have their own modules, like the linters.
for module in internal/cmd/licenses internal/cmd/schemagen; do
	(cd "$module" && "$linter" run ./... && go test ./...)
done
# Code that gqlgen generates needs the library of the same version.
gqlgen() { go -C "$1" list -m -f '{{.Version}}' github.com/99designs/gqlgen; }
[ "$(gqlgen .)" = "$(gqlgen internal/cmd/schemagen)" ] ||
	fail "internal/cmd/schemagen/go.mod has another version of gqlgen than go.mod."

echo "deployment files"
# This reads the files as Docker and Kubernetes do, which may not be installed.
go test -C deploy/lint ./...

echo "govulncheck"
# Its database is on the network.
for module in . $modules; do
	if ! bin/govulncheck -C "$module" ./... >bin/govulncheck.txt 2>&1; then
		if grep -q 'fetching vulnerabilities' bin/govulncheck.txt; then
			echo "  skipped: cannot reach the vulnerability database"
			break
		fi
		cat bin/govulncheck.txt >&2
		fail "The code calls functions with known vulnerabilities; see above."
	fi
done

echo "npm's lock files"
# Each user chooses their own registry.
if grep '"resolved"' */*/package-lock.json >&2; then
	fail "A lock file names a registry. Run npm install --package-lock-only in its folder."
fi

echo "generated code and web files"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts/fingerprint.sh >"$work/before"
scripts/generate.sh
scripts/web.sh
scripts/fingerprint.sh >"$work/after"
if ! diff "$work/before" "$work/after" >"$work/changes"; then
	sed -n 's/^[<>] [0-9]* [0-9]* //p' "$work/changes" | sort -u >&2
	fail "Generated files were stale. The files above are now up to date or removed: commit them."
fi

echo "published schema"
scripts/schema.sh

echo "lines of code"
scripts/lines.sh

echo "all checks passed"
