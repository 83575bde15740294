.DEFAULT_GOAL := help
.PHONY: help quick test check nightly soak chaos fuzz mutations hostile bench generate schema web screenshots build run

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

quick: ## build, and test feed, graph and resolvers on SQLite: in a minute
	@scripts/quick.sh

test: ## run the tests of the promises on real servers, in eight minutes; install what they need
	@scripts/test.sh

check: ## check format, lint, vulnerabilities, generated code and built web files
	@scripts/check.sh

nightly: ## run everything else, for five hours; PARTS="tests fuzz" for some of it
	@scripts/nightly.sh $(PARTS)

soak: ## compare ten thousand random histories with the reference query, for two hours or more; SOAK=10 for ten times as many
	@scripts/soak.sh

chaos: ## kill servers, fleets, Redis and PostgreSQL under load, for forty minutes
	@scripts/chaos.sh

fuzz: ## fuzz the parsers of cursors, ids, tokens and documents; FUZZ=30s for less than ten minutes each
	@scripts/fuzz.sh

mutations: ## remove one rule after the other, and name the test that fails, for forty minutes
	@scripts/mutations.sh

hostile: ## measure what hostile requests cost, and update their table
	@scripts/hostile.sh

bench: ## compare speed with Mercurius, BullMQ and bare Redis; BENCH=quick for one minute
	@scripts/bench.sh

generate: ## generate code; needs Node.js for the TypeScript client
	@scripts/generate.sh

schema: ## lint the published schema, and compare it with the last release
	@scripts/schema.sh

web: ## build the web client and GraphiQL; needs Node.js
	@scripts/web.sh

screenshots: ## write a picture of every page to bin/screenshots
	TIDELINE_SCREENSHOTS=$(CURDIR)/bin/screenshots scripts/gotest.sh -count=1 -tags nightly -run InABrowser ./tests/e2e

build: ## build the program into bin/tideline
	go build -trimpath -ldflags="-s -w" -o bin/tideline .

run: ## run a complete feed service on this machine; flags in ARGS="--addr …"
	go run . $(ARGS)
