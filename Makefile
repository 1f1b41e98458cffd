# Every command of the project. Needs Node (any version that runs npm), npm and make.
.DEFAULT_GOAL := help
NODE := node_modules/.bin/node
BIN := $(NODE) node_modules/.bin
STUBWRIGHT := $(NODE) packages/cli/src/main.ts
SERVE := NODE_COMPILE_CACHE=node_modules/.cache/compiled $(NODE) src/main.ts
# The processes that tests start compile the same modules: with a cache they take a third less CPU time.
JEST := NODE_COMPILE_CACHE='$(CURDIR)/node_modules/.cache/compiled' NODE_OPTIONS=--experimental-vm-modules NODE_NO_WARNINGS=1 $(NODE) node_modules/.bin/jest
# npm writes this file last; older than the lock file, it says that something is missing.
INSTALLED := node_modules/.package-lock.json
# What a start reads of openapi.yaml.
BUNDLE := generated/contract.json
BENCH_INSTALLED := bench/node_modules/.package-lock.json
# The values of WHAT in `make bench`, and what each runs.
BENCHES := peers soak profile overload engine versions proxy client streams stores scaling diff chart
WHAT := peers
BENCH_peers := bench/main.ts
BENCH_soak := bench/main.ts --soak 5
BENCH_profile := bench/main.ts --profile --seconds 10
$(foreach each,overload engine versions proxy client streams stores scaling diff lsp chart,$(eval BENCH_$(each) := bench/$(each).ts))
CLIENTS_INSTALLED := bench/client/node_modules/.package-lock.json
SITE_INSTALLED := docs/site/node_modules/.package-lock.json
SDK_INSTALLED := test/sdk/node_modules/.package-lock.json
PUBLISHING_INSTALLED := test/publishing/node_modules/.package-lock.json

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile

.PHONY: start
start: $(INSTALLED) $(BUNDLE) ## Run the service on its embedded store
	@exec env $(SERVE)

.PHONY: dev
dev: $(INSTALLED) ## Run the service and follow what is saved: the contract, its types, the sources
	@$(STUBWRIGHT) dev

.PHONY: mock
mock: $(INSTALLED) ## Answer a whole contract from its examples: make mock CONTRACT=path
	@exec $(STUBWRIGHT) mock $(or $(CONTRACT),openapi.yaml) $(ARGS)

.PHONY: test
test: $(INSTALLED) ## Run the fast tests whose packages are installed
	@$(JEST) --reporters=default --reporters=summary --reporters=@stubwright/cli/coverage --reporters=./test/support/progressReporter.ts

.PHONY: test-all
test-all: export ALL_TESTS = 1
test-all: $(SDK_INSTALLED) $(BENCH_INSTALLED) test ## Run every test, with SDK generators and GitHub's contracts

.PHONY: test-adoption
test-adoption: $(INSTALLED) $(PUBLISHING_INSTALLED) ## Publish the packages to a local registry, and use them from there
	@NODE_NO_WARNINGS=1 $(NODE) test/publishing/main.ts $(ARGS)

.PHONY: test-conformance
test-conformance: export ALL_TESTS = 1
test-conformance: $(INSTALLED) ## Run the suites of JSON Schema and OpenAPI, about a minute; part of make test-all
	@$(JEST) packages/cli/test/conformance

.PHONY: test-mutation
test-mutation: $(INSTALLED) ## Put random faults into the sources, and list those that no test notices: make test-mutation N=100 SEED=1 SINCE=main
	@SINCE='$(SINCE)' N='$(N)' SEED='$(SEED)' NAMES='$(NAMES)' WORKERS='$(WORKERS)' $(NODE) test/mutation/main.ts

.PHONY: test-faults
test-faults: $(INSTALLED) ## Cause every fault under load: make test-faults ROUNDS=20 FAULTS=failover APPLICATION=fleet
	@ROUNDS=$(or $(ROUNDS),3) FAULTS='$(value FAULTS)' APPLICATION='$(APPLICATION)' NODE_NO_WARNINGS=1 $(NODE) test/faults/main.ts

.PHONY: test-schemathesis
test-schemathesis: $(INSTALLED) ## Generate requests with Schemathesis for the service and for mocks
	@NODE_NO_WARNINGS=1 $(NODE) test/schemathesis/main.ts

.PHONY: site
site: export ALL_TESTS = 1
site: $(INSTALLED) $(SITE_INSTALLED) ## Build the documentation as a site in build/site, and test it: make site SITE_BASE=/stubwright/
	@cd docs/site && ../../$(NODE) node_modules/vitepress/bin/vitepress.js build
	@$(JEST) --config test/site/jest.config.ts

.PHONY: check
ifdef CONTRACT
check: $(INSTALLED)
	@$(STUBWRIGHT) check $(CONTRACT)
else
check: $(INSTALLED) ## Types, lint, format, stale files, contract lint, breaking changes; make check CONTRACT=path checks any contract
	$(BIN)/tsc --noEmit
	$(BIN)/biome check --error-on-warnings .
	$(STUBWRIGHT) generate --check
	$(STUBWRIGHT) check --errors numbered --max-warnings 0
	$(STUBWRIGHT) diff --check
	$(NODE) packages/tools/src/apiReport.ts --check
endif

.PHONY: corpus
corpus: $(INSTALLED) ## Start, mock and sweep every contract of a folder: make corpus DIR=path
	@$(NODE) packages/tools/src/corpus/corpus.ts '$(DIR)' $(NAMES)

.PHONY: generate
generate: $(INSTALLED) ## Write generated/ from openapi.yaml, and files for new operations
	$(STUBWRIGHT) generate

.PHONY: client
client: $(INSTALLED) ## Write the client package of openapi.yaml to build/client/
	@$(STUBWRIGHT) client openapi.yaml build/client

# The bundle is served, not written. Without --watch=forever esbuild ends with its standard input: in the background at once.
.PHONY: page
page: client ## Serve a page that creates plants with the client: make page PAGE_PORT=8080
	@exec $(BIN)/esbuild docs/plant-store/page/page.js --bundle --format=esm \
	  --alias:plant-store=./build/client/index.js --outdir=docs/plant-store/page \
	  --servedir=docs/plant-store/page --watch=forever --serve=127.0.0.1:$(or $(PAGE_PORT),8080) --log-level=info

.PHONY: api-report
api-report: $(INSTALLED) ## Write packages/*/api/, the public API, for review
	@$(NODE) packages/tools/src/apiReport.ts

.PHONY: size
size: $(INSTALLED) ## Count lines of code and files, and the files and functions that a request and commands run
	@$(NODE) packages/tools/src/size.ts

.PHONY: packages
packages: $(INSTALLED) ## Build the packages for npm in build/packages/
	@$(NODE) packages/tools/src/pack/pack.ts build/packages

.PHONY: scalar
scalar: ## Replace the script of /docs: make scalar SCALAR=1.76.0
	npm pack @scalar/api-reference@$(SCALAR) --silent --pack-destination build
	tar -xOf build/scalar-api-reference-$(SCALAR).tgz package/dist/browser/standalone.js | gzip -9n > packages/service/src/docs/browser/scalar.js.gz
	sed -i '1s/api-reference [^,]*/api-reference $(SCALAR)/' packages/service/src/docs/browser/scalar.LICENSE

.PHONY: changeset
changeset: $(INSTALLED) $(PUBLISHING_INSTALLED) ## Describe a change of the packages for their changelogs
	@$(NODE) test/publishing/node_modules/.bin/changeset add

.PHONY: version
version: $(INSTALLED) $(PUBLISHING_INSTALLED) ## Write the versions and the changelogs of the packages from the changesets
	@$(NODE) test/publishing/node_modules/.bin/changeset version
	npm install --package-lock-only --ignore-scripts --no-audit --no-fund --loglevel=error

.PHONY: check-release
check-release: $(INSTALLED) ## Check the addresses, versions and changelogs of the packages: make check-release TAG=v0.1.0
	@$(NODE) packages/tools/src/pack/checkRelease.ts $(TAG)

.PHONY: addresses
addresses: $(INSTALLED) ## Write the owner of package.json's repository into pages, workflows and templates
	@$(NODE) packages/tools/src/pack/checkRelease.ts --write

.PHONY: transcripts
transcripts: $(INSTALLED) ## Write the output of commands into the pages of docs/stubwright/, and draw the recordings of a terminal
	@$(NODE) docs/transcripts.ts $(PAGES)
	@$(NODE) docs/recording.ts
	@$(NODE) test/support/versionsTutorial.ts
	@$(NODE) packages/diff/test/reportedChanges.ts
	@$(NODE) packages/diff/test/schemaPairs.ts
	@$(NODE) packages/cli/test/generatedText.ts
	@$(NODE) packages/cli/test/commandOutput.ts
	@$(NODE) packages/cli/test/loading/shapeErrors.ts
	@$(NODE) packages/contract/test/declaredFacts.ts
	@$(NODE) packages/contract/test/styleReadings.ts
	@$(NODE) packages/stubwright/test/bodyReadings.ts
	@$(NODE) packages/mock/test/mockedExchanges.ts
	@$(NODE) packages/mock/test/keywordSamples.ts
	@$(NODE) packages/traffic/test/recordedExchanges.ts
	@$(NODE) packages/contract/test/keywordErrors.ts

.PHONY: diff
diff: $(INSTALLED) ## What changed for clients since the newest release: make diff BASE=path-or-revision CONTRACT=path
	@$(STUBWRIGHT) diff $(or $(BASE),latest) $(CONTRACT)

.PHONY: release
release: check ## Store openapi.yaml as a release, with the requests of its clients, after make check
	@$(STUBWRIGHT) release --error-scenarios test/api/errorScenarios.ts

.PHONY: replay
replay: $(INSTALLED) ## Send the requests of every release to the service, or to make replay URL=address
	@$(STUBWRIGHT) replay $(URL) --situations test/support/situations.ts

.PHONY: migrate-store
migrate-store: $(INSTALLED) ## Move all plants: make migrate-store FROM=sqlite:data/plants.db TO=postgres://…
	@$(NODE) src/store/migrateStore.ts "$$FROM" "$$TO"

.PHONY: format
format: $(INSTALLED) ## Format the sources and fix what the linter can
	$(BIN)/biome check --write .

.PHONY: bench
bench: $(INSTALLED) $(BENCH_INSTALLED) $(if $(filter client,$(WHAT)),$(CLIENTS_INSTALLED)) ## Measure: make bench WHAT=engine, which bench/README.md lists; by default beside the peers, about 15 minutes
	@$(NODE) $(or $(BENCH_$(WHAT)),$(error WHAT: got $(WHAT), expected $(BENCHES))) $(ARGS)

.PHONY: clean
clean: ## Remove what was installed and built; the database in data/ stays
	rm -rf node_modules bench/node_modules test/sdk/node_modules test/publishing/node_modules docs/site/node_modules docs/site/build coverage build

$(INSTALLED): package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(BUNDLE): openapi.yaml | $(INSTALLED)
	@$(STUBWRIGHT) generate

$(BENCH_INSTALLED): bench/package-lock.json
	npm ci --prefix bench --no-audit --no-fund
	@touch $@

$(CLIENTS_INSTALLED): bench/client/package-lock.json
	npm ci --prefix bench/client --no-audit --no-fund --loglevel=error --ignore-scripts
	@touch $@

$(PUBLISHING_INSTALLED): test/publishing/package-lock.json
	npm ci --prefix test/publishing --no-audit --no-fund --loglevel=error
	@touch $@

$(SITE_INSTALLED): docs/site/package-lock.json
	npm ci --prefix docs/site --no-audit --no-fund --loglevel=error
	@touch $@

$(SDK_INSTALLED): test/sdk/package-lock.json
	npm ci --prefix test/sdk --no-audit --no-fund
	@touch $@
