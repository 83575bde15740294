#!/bin/sh
# Measures Tideline beside what it is compared with, in one run, and prints goals and
# figures. See docs/speed.md.
#
#   scripts/bench.sh              all of it, five rounds, in about ten minutes; the result
#                                 goes to docs/benchmarks/speed.json and speed.txt
#   BENCH=quick scripts/bench.sh  a smaller network and short rounds, in about a minute:
#                                 the result is compared with the stored one, and what has
#                                 become worse is named, which is a hint and no failure
#   BENCH=capacity scripts/bench.sh  networks of ten thousand users, a hundred thousand and
#                                 a million: import, fan-out, reads and memory, with pictures
#
# It should be the only thing that the machine does.
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh
scripts/peers.sh

benchmark=Speed
export BENCH="${BENCH:-full}"
case $BENCH in
full | quick) ;;
capacity) benchmark=Capacity ;;
*)
	echo "scripts/bench.sh: BENCH is full, quick or capacity, not $BENCH" >&2
	exit 2
	;;
esac
exec go test -count=1 -timeout 6h -run '^$' -bench "^Benchmark$benchmark\$" -benchtime 1x ./internal/bench
