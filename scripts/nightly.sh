#!/bin/sh
# Runs what takes too long for every change, in about five hours on two idle cores. Run it before a
# change of stores, change log, fan-out or ingest counts as done. It names each part that failed.
#
#   scripts/nightly.sh             every part
#   scripts/nightly.sh tests fuzz  some parts
#
# The parts:
#
#   tests      every test of every module with the race detector, also those with the build tag
#              nightly. The programs that tests start are built with it too: a report in their
#              output fails the test
#   alone      interleavings, in every order, and simulations. They run one goroutine at a time, so
#              the race detector could find nothing
#   histories  scripts/soak.sh
#   chaos      scripts/chaos.sh
#   fuzz       scripts/fuzz.sh
#   mutations  scripts/mutations.sh
#   speed      BENCH=regress scripts/bench.sh
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh
. scripts/node.sh
. scripts/modules.sh
. scripts/goflags.sh

alone='^Test(Interleavings|Simulation)_'

# tests ARGUMENT… runs tests of every module. The longest packages of a module come first, so that
# no module ends with one of them alone. scripts/check.sh runs go vet.
tests() {
	set -- -vet=off -tags nightly -count=1 -timeout 3h "$@" ./feed/sqlstore ./...
	for module in $modules; do set -- "$@" "./$module/..."; done
	scripts/gotest.sh "$@"
}

run() {
	case $1 in
	tests)
		# The race detector needs cgo, which some machines disable. SQLite and its C library are C
		# code translated to Go, in which it finds nothing but takes most of the time.
		for translated in sqlite/lib libc memory; do set -- "$@" "-gcflags=modernc.org/$translated=-race=false"; done
		shift
		CGO_ENABLED=1 TESTENV_RACE=yes tests -race -skip "$alone" "$@"
		;;
	alone)
		# shellcheck disable=SC2046 # one argument for each package
		scripts/gotest.sh -vet=off -tags nightly -count=1 -timeout 3h -run "$alone" \
			$(grep -rlE "^func ${alone#^}" --include='*_test.go' . | xargs -n1 dirname | sort -u)
		;;
	histories) scripts/soak.sh ;;
	chaos) scripts/chaos.sh ;;
	fuzz) scripts/fuzz.sh ;;
	mutations) scripts/mutations.sh ;;
	speed) BENCH=regress scripts/bench.sh ;;
	*)
		echo "scripts/nightly.sh: no part is named $1; the parts are tests, alone, histories, chaos, fuzz, mutations and speed" >&2
		return 2
		;;
	esac
}

[ $# != 0 ] || set -- tests alone histories chaos fuzz mutations speed
failed=
for part; do
	began=$(date +%s)
	echo "== $part"
	run "$part" || failed="$failed $part"
	echo "== $part took $((($(date +%s) - began) / 60)) minutes"
done
if [ -n "$failed" ]; then
	echo "failed:$failed" >&2
	exit 1
fi
echo "all parts passed"
