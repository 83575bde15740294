.DEFAULT_GOAL := help
.PHONY: help quick test check soak chaos fuzz hostile bench generate schema web screenshots build run

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

quick: ## build, and test feed, graph and resolvers with stores in memory, in less than a minute
	@scripts/quick.sh

test: ## run every test, with the race detector and real servers; installs what they need
	@scripts/test.sh

check: ## check formatting, vet, and that what is generated or built is up to date
	@scripts/check.sh

soak: ## play ten thousand random histories against the reference query; SOAK=10 for ten times as many
	@scripts/soak.sh

chaos: ## kill servers and whole fleets, and lose Redis and PostgreSQL under load, at length
	@scripts/chaos.sh

fuzz: ## look for input that breaks the readers of cursors, ids, tokens and documents; FUZZ=30s for less than ten minutes each
	@scripts/fuzz.sh

hostile: ## measure what hostile requests cost, and write the table of them anew
	@scripts/hostile.sh

bench: ## measure beside Mercurius, BullMQ and bare Redis, and print goals and figures; BENCH=quick for a look
	@scripts/bench.sh

generate: ## make the generated code anew; needs Node.js for the client in TypeScript
	@scripts/generate.sh

schema: ## lint the published schema, and compare it with the one of the last release
	@scripts/schema.sh

web: ## build the web client and GraphiQL anew; needs Node.js
	@scripts/web.sh

screenshots: ## take pictures of every page, into bin/screenshots
	TIDELINE_SCREENSHOTS=$(CURDIR)/bin/screenshots scripts/gotest.sh -count=1 -run InABrowser ./tests/e2e

build: ## build the program into bin/tideline
	go build -trimpath -ldflags="-s -w" -o bin/tideline .

run: ## run a whole feed service on this machine; flags in ARGS="--addr …"
	go run . $(ARGS)
