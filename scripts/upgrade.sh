#!/bin/sh
# Upgrades a fleet from an earlier version of the program to this one under load, and back again.
# Run it before a release, with the tag or commit of the last one.
#
#   scripts/upgrade.sh COMMIT
set -eu
cd "$(dirname "$0")/.."
commit=${1:?usage: scripts/upgrade.sh COMMIT}

source=$(mktemp -d)
trap 'rm -rf "$source"' EXIT
git archive "$commit" | tar -x -C "$source"
go build -C "$source" -ldflags='-s -w' -o "$source/earlier" .
UPGRADE_FROM=$source/earlier scripts/gotest.sh -tags nightly -count=1 -v -run TestUpgrade ./tests/fleet
