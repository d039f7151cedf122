# make test        everything that must hold before a change is in: what .ci/run calls
# make check       the quick round while working: format, vet, staticcheck, types, unit tests, all but those in a browser
# make generate    rebuild the committed files that are made from others
# make fuzz        every fuzz target for FUZZTIME each
# make bench       every benchmark; docs/performance.md says how to read them
# make bench-sync  every method of synchronization in every scenario, SEEDS seeds each, against the truth
# make bench-history  the state history by threads, node size and fan-out, beside SQLite: tables and plots in bench/history/results
# make bench-build  an import of 20 million events of 20 hosts beside babeltrace2, which merely decodes them; BENCHFLAGS as bench/build has them
# make bench-viewer  the page moved over 20 million events: frames, blank rows, answers; BENCHFLAGS as bench/viewer has them
# make screenshots take the pictures of docs/images anew; with STATES=docs/images/states those of empty, failed, odd and very large sets too, into there

SHELL    := bash
FUZZTIME ?= 30s
SEEDS    ?= 20
TOOL     := go tool -modfile=tools.mod
# Packages that start goroutines, in what they do or in their tests: there the race detector has something to see. What serves the
# browser tests is among them; of three packages it is one test each in which goroutines meet, and the others compute for long. What
# goroutines do to each other is seen in few draws of a model; results are compared without the detector, in all. See internal/raced.
RACED    = $$(git grep -lE '^[[:space:]]*go [a-zA-Z(]|\.Go\(' -- '*.go' | xargs -n1 dirname | sort -u | grep -vE '^(bench|internal/browser|state/kernel|sync/hull|sync/network)(/|$$)' | sed 's|^|./|')
# Those that take longest are begun first, or one of them would be left to run alone at the end.
LONGEST  = ./state/history ./ingest ./cmd/synchroscope ./trace/ctf
# Of the browser tests, those that take half of the time.
EARLY    := ^Test[A-N]
MEETINGS := ^(TestThreadsMeanwhile|TestDoubtsLeaveTheCorridor|TestLoopsClose)$$

.PHONY: test browser browser/early browser/late others check generate fuzz bench bench-sync bench-history bench-build bench-viewer screenshots build demo tools fresh format vet lint types

# The collector of garbage waits longer than it does for users: a third of what sync/network computes was its share.
test: export GOGC := 400
# The browser tests take longest and leave the processors idle now and then, as they wait for pages. All others run beside them, and
# give way to them; so does vet, which finds most of what it needs compiled by then.
test: tools fresh types
	+@$(MAKE) --no-print-directory -j3 browser others

# Two halves, each with a browser of its own: a page and its test wait for each other by turns, so one alone leaves a processor idle, and took
# longer than all other packages. The limit is for what hangs, not for what is slow: it was hit once by tests that all passed, on a slow machine
# that compiled everything beside them.
browser: browser/early browser/late
browser/early:
	go test -vet=off -timeout 60m -run '$(EARLY)' ./internal/browser
browser/late:
	go test -vet=off -timeout 60m -skip '$(EARLY)' ./internal/browser

others:
	nice -n 10 go test -vet=off -timeout 60m ./sync/network ./state/kernel $(LONGEST) $$(go list ./... | grep -v /internal/browser)
	RAPID_CHECKS=20 nice -n 10 go test -vet=off -race -short -timeout 60m $(LONGEST) $(RACED)
	nice -n 10 go test -vet=off -race -run '$(MEETINGS)' ./state/kernel ./sync/hull ./sync/network
	nice -n 10 $(MAKE) --no-print-directory vet

check: format vet lint types
	go test -vet=off -short $$(go list ./... | grep -v /internal/browser)

generate:
	$(TOOL) templ generate -include-version=false -log-level warn
	go generate ./...

fuzz:
	@set -e; for package in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
			echo "$$package $$target"; \
			go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$package; \
		done; \
	done

bench:
	go test -run '^$$' -bench . -benchmem ./...

bench-sync:
	SYNCHROSCOPE_SYNC_SEEDS=$(SEEDS) go test ./cmd/synchroscope -run '^TestSyncTable$$' -count 1 -v -timeout 2h

bench-history:
	cd bench/history && GOMAXPROCS=1 go run . $(BENCHFLAGS)

bench-build:
	go run ./bench/build $(BENCHFLAGS)

bench-viewer:
	go run ./bench/viewer $(BENCHFLAGS)

screenshots:
	go test ./internal/browser -run '^Test(Images|GuideImages$(if $(STATES),|States))$$' -count 1 -timeout 20m -update-images $(if $(STATES),-states $(abspath $(STATES)))

build:
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o synchroscope ./cmd/synchroscope

demo:
	go run ./cmd/synchroscope demo

# The parts of test and check.

tools:
	@.ci/tools

fresh:
	@.ci/fresh

format:
	@unformatted=$$(git ls-files -co --exclude-standard '*.go' | xargs -r gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(TOOL) templ fmt -fail -log-level warn views

vet:
	go vet ./...

lint:
	$(TOOL) staticcheck ./...

types:
	@if command -v npm >/dev/null; then \
		cd web && npm ci --no-audit --no-fund --silent && npm run --silent check; \
	elif [ -n "$$CI" ]; then \
		echo "npm is missing, so the types of web/ cannot be checked"; exit 1; \
	else \
		echo "npm is missing: the types of web/ are not checked"; \
	fi
