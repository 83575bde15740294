#!/bin/sh
# Runs the tests of the promises on real servers, in at most eight minutes on two cores, and
# installs what they need. scripts/nightly.sh runs everything else. Results of packages that have
# not changed come from go test's cache. To run some packages only, use scripts/gotest.sh.
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh
. scripts/node.sh
. scripts/goflags.sh

# The race detector needs cgo, which some machines disable.
export CGO_ENABLED=1

# Packages whose own goroutines meet run with the race detector. It makes other tests slower, finds
# nothing there, and needs a second build of all libraries.
raced="feed/changes feed/live feed/lrucache feed/subscribe feed/viewercache internal/app internal/kit/batch
	internal/edge/gateway feed/records/ingest internal/upstream internal/edge/guard resolvers/loaders internal/edge/transport tasks"
with= without=
for package in $(go list -f '{{.Dir}}' ./...); do
	package=${package#"$PWD"}
	package=${package#/}
	case " $(echo $raced) " in
	*" $package "*) with="$with ./$package" ;;
	*) without="$without ./$package" ;;
	esac
done

results=$PWD/bin/results
mkdir -p "$results"
rm -f "$results"/*.out

# start NAME ARGUMENT… runs go test in the background. The time limit ends tests that hang. go vet
# is part of scripts/check.sh.
running=
start() {
	name=$1
	shift
	scripts/gotest.sh -vet=off -timeout 60m "$@" >"$results/$name.out" 2>&1 &
	running="$running $!:$name"
}
trap 'kill $(echo "$running" | sed "s/:[^ ]*//g") 2>/dev/null || true; exit 130' INT TERM

# Build first what the runs below share, or each of them would build it.
go build ./...

# Packages wait for their servers most of the time, so more of them run than there are processors.
# SQLite and its C library are C code translated to Go, in which the race detector finds nothing
# but takes most of the time.
set --
for translated in sqlite/lib libc memory; do set -- "$@" "-gcflags=modernc.org/$translated=-race=false"; done
# shellcheck disable=SC2086 # one argument for each package
{
	start program -p 1 -parallel 4 ./tests/docs ./tests/e2e
	start packages -p 2 $without
	# Interleavings and simulations run one goroutine at a time.
	alone='^Test(Interleavings|Simulation)_'
	start raced -race -p 2 "$@" -skip "$alone" $with
	start alone -run "$alone" ./feed/live ./feed/viewercache ./internal/upstream
	start modules -p 1 ./bench/... ./clients/go/...
}

failed=0
for run in $running; do
	wait "${run%%:*}" || failed=1
	cat "$results/${run#*:}.out"
done

echo "the slowest ten packages, in seconds:"
sed -n 's/^ok[[:space:]]*\([^[:space:]]*\)[[:space:]][[:space:]]*\([0-9.][0-9.]*\)s.*/\2 \1/p' "$results"/*.out | sort -rn | head -n 10
exit $failed
