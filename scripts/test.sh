#!/bin/sh
# Runs the tests, with the race detector and against real servers, after making
# sure that everything they need is installed.
#
#   scripts/test.sh              every package, of all modules
#   scripts/test.sh ./feed/...   some packages, or other arguments of go test
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh
. scripts/node.sh
. scripts/modules.sh
if [ $# = 0 ]; then
	set -- ./...
	for module in $modules; do set -- "$@" "./$module/..."; done
fi

# The race detector is written in C, and some machines switch cgo off.
export CGO_ENABLED=1

for module in . $modules; do
	echo "go vet -C $module ./..."
	go vet -C "$module" ./...
done
# SQLite is C code that a program has translated to Go. Its memory is none of Go's, so
# the detector sees nothing in it, and takes two thirds of the time of its tests for that.
# Our code and the driver around it are watched like all else.
unwatched=-gcflags=modernc.org/sqlite/lib=-race=false

# Tests that may run beside others mostly wait, until a server is missed or something is due:
# twice as many at once as there are processors are over sooner, and no processor is short.
together=$((2 * $(getconf _NPROCESSORS_ONLN)))

# The bound ends tests that hang. The slowest package, tests/e2e with the tests in a browser,
# took more than thirty minutes where others took the processors.
bound=60m

echo "go test -race $unwatched -parallel $together -count=1 -timeout $bound $*"
exec scripts/gotest.sh -race "$unwatched" -parallel "$together" -count=1 -timeout "$bound" "$@"
