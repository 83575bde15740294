#!/bin/sh
# Measures Tideline beside what it is compared with, in one run, and prints goals and
# figures. See docs/speed.md.
#
#   scripts/bench.sh              all of it, fifteen rounds of pages and five of the rest, in a
#                                 quarter of an hour; the result goes to
#                                 docs/benchmarks/speed.json and speed.txt, and to
#                                 docs/speed.md
#   BENCH=quick scripts/bench.sh  a smaller network, short rounds and no peers, in about a
#                                 minute: the result is compared with one that was stored, and
#                                 what has become worse is named, a hint and no failure
#   BENCH=capacity scripts/bench.sh  networks of ten thousand users, a hundred thousand and
#                                 a million, or as BENCH_USERS says: import, fan-out, reads
#                                 and memory, with pictures, and what the model of
#                                 docs/scaling.md goes by
#   BENCH=profile scripts/bench.sh  where the processor time of a page goes: to which process,
#                                 and in pictures to which functions of the server
#   BENCH=bound scripts/bench.sh  what a page with nothing cached could come to at most, beside
#                                 Mercurius: servers that read what it must and do no more
#   BENCH=ablation scripts/bench.sh  what each fast path saves of a load of reads and writes:
#                                 the program without it, in turns with the program as it is.
#                                 BENCH_ONLY is a pattern of the paths to measure
#   BENCH=compare BENCH_BASE=COMMIT scripts/bench.sh  the pages and fan-outs of an earlier
#                                 commit and those of what is here, in turns: what part of the
#                                 time they take
#
# It should be the only thing that the machine does.
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh

# measure runs one benchmark, with further settings in front.
measure() {
	benchmark=$1
	shift
	env "$@" scripts/gotest.sh -count=1 -timeout 6h -run '^$' -bench "^Benchmark$benchmark\$" -benchtime 1x ./bench
}

case ${BENCH:=full} in
full)
	. scripts/node.sh
	scripts/npm.sh tests/peers bin/peers
	measure Speed BENCH=full
	measure Speed BENCH=quick BENCH_STORE=yes
	;;
quick) measure Speed BENCH=quick ;;
capacity)
	measure Capacity
	scripts/gotest.sh -count=1 -run TestPage ./bench/capacity -update
	;;
profile) measure Profile ;;
bound)
	. scripts/node.sh
	scripts/npm.sh tests/peers bin/peers
	measure Bound
	;;
ablation) measure Ablation ;;
compare)
	commit=${BENCH_BASE:?names the commit to compare with}
	base=$(mktemp -d)
	trap 'git worktree remove --force "$base/tree"; rm -r "$base"' EXIT
	git worktree add --detach "$base/tree" "$commit"
	go build -C "$base/tree" -o "$base/tideline" .
	measure Compare BENCH_BASE="$base/tideline"
	;;
*)
	echo "scripts/bench.sh: BENCH is full, quick, capacity, profile, bound, ablation or compare, not $BENCH" >&2
	exit 2
	;;
esac
