#!/bin/sh
# Installs what the tests need and runs them with the race detector and real servers.
#
#   scripts/test.sh              every package, of all modules
#   scripts/test.sh ./feed/...   some packages, or other arguments of go test
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh
. scripts/node.sh
. scripts/modules.sh
. scripts/goflags.sh
all= alone='^Test(Interleavings|Simulation)_'
if [ $# = 0 ]; then
	all=yes
	# Go runs packages in this order. The longest of each module come first, so that no module ends
	# with one of them alone.
	set -- ./feed/sqlstore ./...
	for module in $modules; do
		[ "$module" != tests ] || set -- "$@" ./tests/e2e
		set -- "$@" "./$module/..."
	done
	# The tests of internal/archtest read sources and have no goroutines. With the race detector they
	# have no files; scripts/check.sh runs them.
	# Interleavings and simulations run one goroutine at a time. The race detector can find nothing in
	# them and makes them six times slower, so they run without it.
	# scripts/check.sh runs go vet on every module, with more of its rules than go test.
	set -- -vet=off -skip "$alone" "$@"
fi

# The race detector needs cgo, which some machines disable.
export CGO_ENABLED=1

# SQLite and its C library are C code translated to Go, with their own memory, in which the detector
# finds nothing but takes most of the time. The detector still watches the driver around them.
for translated in sqlite/lib libc memory; do
	set -- "-gcflags=modernc.org/$translated=-race=false" "$@"
done

# Parallel tests mostly wait, so twice as many as there are processors finish sooner. Packages wait a
# third of their time, so one more does.
processors=$(getconf _NPROCESSORS_ONLN)
together=$((2 * processors)) packages=$((processors + 1))

# The packages share the programs that they build, in a folder of this run. The first is built here,
# since tests would wait for it on a machine with an empty cache.
TESTENV_BUILDS=$(mktemp -d)
export TESTENV_BUILDS
trap 'rm -rf "$TESTENV_BUILDS"' EXIT
trap 'exit 130' INT TERM
go build -ldflags='-s -w' -o "$TESTENV_BUILDS/tideline" .

# The time limit ends tests that hang. On a busy machine tests/e2e took more than thirty minutes.
bound=60m

if [ -n "$all" ]; then
	# These take no time from the others: they run while the processors have nothing else to do.
	# shellcheck disable=SC2046 # one argument for each package
	nice -n 19 scripts/gotest.sh -vet=off -count=1 -timeout "$bound" -run "$alone" \
		$(grep -rlE "^func ${alone#^}" --include='*_test.go' . | xargs -n1 dirname | sort -u) >"$TESTENV_BUILDS/alone.txt" 2>&1 &
	later=$!
fi

echo "go test -race -p $packages -parallel $together -count=1 -timeout $bound $*"
failed=0
scripts/gotest.sh -race -p "$packages" -parallel "$together" -count=1 -timeout "$bound" "$@" || failed=$?
if [ -n "$all" ]; then
	wait "$later" || failed=$?
	echo "interleavings and simulations:"
	cat "$TESTENV_BUILDS/alone.txt"
fi
exit $failed
