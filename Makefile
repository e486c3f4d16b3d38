# The working loop; CONTRIBUTING.md says more. .ci/run is the whole check.
export GOFLAGS ?= -buildvcs=false
TIME ?= 10s
MUTANTS ?= 200
SEED ?= 1

.PHONY: check test evidence mutants golden docs fuzz fuzz-cxx bench

check: # format, vet and the tests with heavy ones cut short: no network, no root
	.ci/run format
	go vet ./... ./internal/evidence/...
	GOGC=400 GOMEMLIMIT=1GiB go test -vet=off ./...

test: # every test whole; a missing tool (clang, oclgrind, ...) fails
	FULL_TESTS=1 go test ./...

evidence: # every test of the evidence, against compilers, published numbers and measured times; then what tests notice
	FULL_TESTS=1 go test -timeout 30m ./internal/evidence/...
	$(MAKE) mutants

mutants: # MUTANTS small mistakes that SEED chooses, and which of them the tests that execute them notice
	GOGC=400 go run ./internal/evidence/mutation --number $(MUTANTS) --seed $(SEED)

golden: # rewrite what tests expect; read the difference before you commit it
	go test ./idg ./idg/export ./lower/translate ./lower/pass ./simulate ./simulate/finding ./unroll/walk ./cmd/idgen ./cmd/pipesim -update
	go test ./internal/test/metamorphic ./internal/test/stages ./latencies -run 'Results|Stages|Launches' -update

docs: # rewrite the pages that are generated from what is in this repository
	FULL_TESTS=1 go test ./kernels ./latencies ./internal/evidence/evaluate -run 'Page|SchemaWords' -update
	go test ./internal/evidence/kernels -run MachineCode -update
	FULL_TESTS=1 go test ./internal/evidence/fidelity -run 'InlinePTX|AMD|Packed|Pairs' -update
	go run ./internal/evidence/reproduce
	cd internal/evidence && go run ./compiler -o ../../docs/evidence/compiler.md
	.ci/readme -update
	.ci/docs

fuzz: # each target for TIME, one after the other
	FUZZTIME=$(TIME) .ci/run fuzzing

fuzz-cxx: # NUMBER programs that combine features of C++, others each day, against clang++ and g++
	go test ./internal/evidence/cxxoracle -run '^TestCombined$$' -v -timeout 60m \
		-combined $(or $(NUMBER),1000) -from $$(date +%y%m%d)0000

bench: # NAME=regexp PACKAGES=./idg
	go test -run '^$$' -bench '$(or $(NAME),.)' -benchmem $(or $(PACKAGES),./...)
