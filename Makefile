.DEFAULT_GOAL := help
.PHONY: help test check generate build run

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: ## run every test, with the race detector and real servers; installs what they need
	@scripts/test.sh

check: ## check formatting, vet, and that the generated code is up to date
	@scripts/check.sh

generate: ## make the generated code anew
	@scripts/generate.sh

build: ## build the program into bin/tideline
	go build -trimpath -o bin/tideline .

run: ## run a whole feed service on this machine; flags in ARGS="--addr …"
	go run . $(ARGS)
