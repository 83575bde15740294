#!/bin/sh
# Measures Tideline beside what it is compared with, in one run, and prints goals and
# figures. See docs/speed.md.
#
#   scripts/bench.sh              all of it, five rounds, in about ten minutes; the result
#                                 goes to docs/benchmarks/speed.json and speed.txt,
#                                 and to docs/speed.md
#   BENCH=quick scripts/bench.sh  a smaller network, short rounds and no peers, in about a
#                                 minute: the result is compared with one that was stored, and
#                                 what has become worse is named, a hint and no failure
#   BENCH=processors scripts/bench.sh  for how long processors work for a page, process by
#                                 process, in about a minute; to docs/benchmarks/processors.txt
#   BENCH=capacity scripts/bench.sh  networks of ten thousand users, a hundred thousand and
#                                 a million: import, fan-out, reads and memory, with pictures
#
# It should be the only thing that the machine does.
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh

# measure runs one benchmark, with further settings in front.
measure() {
	benchmark=$1
	shift
	env "$@" go test -count=1 -timeout 6h -run '^$' -bench "^Benchmark$benchmark\$" -benchtime 1x ./internal/bench
}

case ${BENCH:=full} in
full)
	. scripts/node.sh
	scripts/npm.sh tests/peers bin/peers
	measure Speed BENCH=full
	measure Speed BENCH=quick BENCH_STORE=yes
	;;
quick) measure Speed BENCH=quick ;;
processors) measure Processors ;;
capacity) measure Capacity ;;
*)
	echo "scripts/bench.sh: BENCH is full, quick, processors or capacity, not $BENCH" >&2
	exit 2
	;;
esac
