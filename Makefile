# The commands of this project. Go and make are all they need.

GO      ?= go
BIN     := bin/casebook

.PHONY: demo demo-more test test-browser race bench clean

# Every case of cases/ to packs and a site that opens from the disk.
demo: $(BIN)
	$(BIN) build
	@echo
	@echo "open site/index.html in a browser"

$(BIN): FORCE
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -o $(BIN) ./cmd/casebook

FORCE:

# The cases whose corpora are other people's prose, composed from the packages in PACKAGES into more/.
demo-more: $(BIN)
	@test -n "$(PACKAGES)" || { echo "say where the packages are: make demo-more PACKAGES=DIR (fetch them with .ci/packages DIR)"; exit 2; }
	$(GO) run ./cmd/compose --deb $(PACKAGES)/deb --npm $(PACKAGES)/npm/node_modules --mod $(PACKAGES)/mod --go "$$($(GO) env GOROOT)" --kind prose --out more/cases
	$(BIN) --root more build

# Everything that must pass. The last line says what could not run here.
test:
	$(GO) vet ./...
	$(GO) test -shuffle=on ./...
	@if [ -n "$$CASEBOOK_FIXTURES" ]; then echo "ran with the reference data of other software"; \
	else echo "not run: the tests against reference data of other software (CASEBOOK_FIXTURES is not set)"; fi

# The pages in a real Chromium, opened from the disk; it must be installed (Debian: chromium).
test-browser:
	$(GO) test -tags browser -run Browser ./render

race:
	$(GO) test -race -shuffle=on ./...

# Figures for ARCHITECTURE.md.
bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

clean:
	rm -rf bin site packs more .casebook
