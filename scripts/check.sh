#!/bin/sh
# Checks what no test sees: that the code is formatted and vetted, and that the
# generated code and the built web files are what is made of their sources today; and the one
# rule that a change breaks most easily, which a test does see, but not before half an hour.
set -eu
cd "$(dirname "$0")/.."

fail() {
	echo "$1" >&2
	exit 1
}

# files runs a command on the names of the module's files; find's tests may follow
# the command.
files() {
	command=$1
	shift
	find . \( -path ./.git -o -path ./data -o -path ./bin -o -name node_modules \) -prune \
		-o -type f "$@" -exec $command {} +
}

# fingerprint prints a checksum, the size and the name of every file. It does
# without git, so it works with changes not committed yet, and in a source archive.
fingerprint() {
	files cksum | sort -k 3
}

echo "tools"
# The linters have a module of their own, so that what they need is nobody else's.
go build -C tools -o ../bin/ github.com/golangci/golangci-lint/v2/cmd/golangci-lint golang.org/x/vuln/cmd/govulncheck

# The modules of the program, of clients, and of what only tests and benchmarks need.
. scripts/modules.sh
for module in . $modules; do
	echo "go vet -C $module ./..."
	go vet -C "$module" ./...
done

echo "who may import whom"
go test ./internal/archtest

echo "golangci-lint, gofumpt included"
linter=$PWD/bin/golangci-lint
for module in . $modules deploy/lint; do (cd "$module" && "$linter" run ./...); done

echo "the generators of licences and of the schema's code"
# They have modules of their own, like the linters.
for module in internal/cmd/licenses internal/cmd/schemagen; do
	(cd "$module" && "$linter" run ./... && go test ./...)
done
# The code that gqlgen generates is for the gqlgen of the same version.
gqlgen() { go -C "$1" list -m -f '{{.Version}}' github.com/99designs/gqlgen; }
[ "$(gqlgen .)" = "$(gqlgen internal/cmd/schemagen)" ] ||
	fail "internal/cmd/schemagen/go.mod has another version of gqlgen than go.mod."

echo "what tideline is deployed by"
# What would read these files needs an engine for containers or a cluster; this reads them
# as it would. It has a module of its own, like the linters.
go test -C deploy/lint ./...

echo "govulncheck"
# Its database is on the network; without one there is nothing to compare with.
for module in . $modules; do
	if ! bin/govulncheck -C "$module" ./... >bin/govulncheck.txt 2>&1; then
		if grep -q 'fetching vulnerabilities' bin/govulncheck.txt; then
			echo "  the vulnerability database cannot be reached; going on without"
			break
		fi
		cat bin/govulncheck.txt >&2
		fail "Known vulnerabilities are reachable; see above."
	fi
done

echo "npm's lock files"
# Where packages come from is for whoever installs them to say.
if grep '"resolved"' */*/package-lock.json >&2; then
	fail "A lock file names registries; npm install --package-lock-only in its folder leaves them out."
fi

echo "generated code and web files"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fingerprint >"$work/before"
scripts/generate.sh
scripts/web.sh
fingerprint >"$work/after"
if ! diff "$work/before" "$work/after" >"$work/changes"; then
	sed -n 's/^[<>] [0-9]* [0-9]* //p' "$work/changes" | sort -u >&2
	fail "What is generated was stale; the files above have just been renewed or removed: commit that."
fi

echo "the published schema"
scripts/schema.sh

echo "speed, beside the quick result that is stored"
# What is slower is no reason to refuse a change, since machines differ and are busy at times.
# What does not end is, and a machine that was so busy is asked once more.
BENCH=quick scripts/bench.sh || BENCH=quick scripts/bench.sh || fail "The benchmarks do not end well; see above."

echo "all checks passed"
