#!/bin/sh
# Checks a change in feed, graph or resolvers within a minute. It builds everything and runs the
# tests that need no server and no browser, on SQLite and without the race detector. -short plays
# fewer orders and histories than scripts/test.sh, a fifth of those that package rapid draws. Unchanged
# packages come from go test's cache. It leaves the other modules (scripts/modules.sh) to
# scripts/test.sh. Further arguments, such as -run, go to go test.
set -eu
cd "$(dirname "$0")/.."

. scripts/goflags.sh
go build ./...
scripts/gotest.sh -run '^TestModule_KeepsItsRules$' ./internal/archtest
# scripts/test.sh runs the suites of the database stores on real servers.
# The longest package comes first: go test begins in this order.
# shellcheck disable=SC2046 # one argument for each package
exec scripts/gotest.sh -short "$@" $(go list ./resolvers/... ./feed/... ./graph/... ./internal/edge/... |
	grep -v -e /sqlstore -e /redisstore)
