# scree: build, check, demonstrate. `make help` lists the targets.
# Variants: make BUILD=release|debug|asan   Portable binary: make ARCH=x86-64-v2   CI: WERROR=1

BUILD   ?= release
ARCH    ?= native
PREFIX  ?= /usr/local
CC      := mpicc
OUT     := build/$(BUILD)

# -ffp-contract=off: one rounding per operation, so that a contact computed on two ranks, or by
# vector and by scalar code, has the same bits. -fno-math-errno/-fno-trapping-math let loops with
# sqrt and selects vectorise and change no result.
# -Wno-psabi: rows of four doubles are passed only between inline functions, no ABI is involved.
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wpedantic -Wno-psabi $(if $(WERROR),-Werror)
FP       := -ffp-contract=off -fno-math-errno -fno-trapping-math
release_FLAGS := -O3 -march=$(ARCH) -DNDEBUG -g
debug_FLAGS   := -O1 -g
asan_FLAGS    := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
ifeq ($($(BUILD)_FLAGS),)
$(error BUILD must be release, debug or asan, not '$(BUILD)')
endif

# One line per file; V=1 shows the whole commands.
Q := $(if $(V),,@)

.DEFAULT_GOAL := all
include tools/dependencies.mk

VERSION := $(shell cat include/scree/VERSION)
COMMIT  := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
CFLAGS  := -std=c11 $(WARNINGS) $(FP) $($(BUILD)_FLAGS) -Iinclude $(DEP_CFLAGS) $(EXTRA_CFLAGS)
LDLIBS  := $(DEP_LIBS) -lm

SOURCES  := $(sort $(wildcard src/*/*.c))
MAIN     := src/cli/main.c
LIB_OBJ  := $(patsubst src/%.c,$(OUT)/obj/%.o,$(filter-out $(MAIN),$(SOURCES)))
MAIN_OBJ := $(patsubst src/%.c,$(OUT)/obj/%.o,$(MAIN))
LIB      := $(OUT)/libscree.a
PROGRAM  := $(OUT)/scree

UNIT_SRC := $(sort $(wildcard tests/unit/*.c))
UNIT_BIN := $(OUT)/tests/unit
MPI_BIN  := $(patsubst tests/mpi/%.c,$(OUT)/tests/mpi_%,$(sort $(wildcard tests/mpi/*.c))) \
	$(patsubst tests/serial/%.c,$(OUT)/tests/serial_%,$(sort $(wildcard tests/serial/*.c)))
BENCH_BIN := $(patsubst tests/bench/%.c,$(OUT)/tests/bench_%,$(sort $(wildcard tests/bench/*.c)))
PRELOADS  := $(patsubst tests/support/%.c,$(OUT)/tests/%.so,$(sort $(wildcard tests/support/*.c)))

XX_PROGRAM := $(OUT)/tests/scree_xx

.PHONY: all deps demo check validate bench manual gallery install format format-check clean help
all: $(PROGRAM) ## the program and the library (default)

$(PROGRAM): $(MAIN_OBJ) $(LIB)
	$(if $(Q),@echo "  LINK  $@")
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(LIB): $(LIB_OBJ)
	@rm -f $@
	$(if $(Q),@echo "  AR    $@")
	$(Q)ar rcs $@ $^

$(OUT)/obj/%.o: src/%.c $(OUT)/flags | $(OUT)/dependencies-found
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC    $<")
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

# What was compiled how, for --version and for the files of a run; rebuilt only when it changes.
$(OUT)/obj/output/version.o: CFLAGS += -DSCREE_VERSION='"$(VERSION)"' -DSCREE_COMMIT='"$(COMMIT)"' \
	-DSCREE_FLAGS='"$(BUILD), march=$(ARCH)"'
$(OUT)/obj/output/version.o: $(OUT)/commit
$(OUT)/commit: FORCE
	@mkdir -p $(@D); echo '$(VERSION) $(COMMIT)' | cmp -s - $@ || echo '$(VERSION) $(COMMIT)' > $@
$(OUT)/flags: FORCE
	@mkdir -p $(@D); echo '$(CFLAGS)' | cmp -s - $@ || echo '$(CFLAGS)' > $@
FORCE:

# Objects of test programs are kept: they would be compiled anew each time.
.SECONDARY:

$(UNIT_BIN): $(patsubst tests/%.c,$(OUT)/tests/obj/%.o,$(UNIT_SRC)) $(LIB)
	$(if $(Q),@echo "  LINK  $@")
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(CRITERION_LIBS) $(LDLIBS)
$(OUT)/tests/mpi_%: $(OUT)/tests/obj/mpi/%.o $(LIB)
	$(if $(Q),@echo "  LINK  $@")
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
$(OUT)/tests/serial_%: $(OUT)/tests/obj/serial/%.o $(LIB)
	$(if $(Q),@echo "  LINK  $@")
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
# The program with one more method, to test what methods are promised: its folder, its line in a
# list of methods that is found before the usual one.
$(XX_PROGRAM): $(MAIN_OBJ) $(OUT)/tests/obj/xx/xx.o $(OUT)/tests/obj/xx/steppers.o $(LIB)
	$(if $(Q),@echo "  LINK  $@")
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
$(OUT)/tests/obj/xx/steppers.o: $(wildcard src/*/steppers.c) $(OUT)/flags
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC    $< with method xx")
	$(Q)$(CC) -Itests/xx $(CFLAGS) -MMD -MP -c -o $@ $<
# For LD_PRELOAD: calls of the system that fail or tell another time. Functions that dlsym() finds are
# pointers to objects by the standard of C.
$(OUT)/tests/%.so: tests/support/%.c $(OUT)/flags
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC    $<")
	$(Q)$(CC) -std=c11 $(filter-out -Wpedantic,$(WARNINGS)) -O2 -shared -fPIC -o $@ $< -ldl
$(OUT)/tests/bench_%: $(OUT)/tests/obj/bench/%.o $(LIB)
	$(if $(Q),@echo "  LINK  $@")
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
$(OUT)/tests/obj/%.o: tests/%.c $(OUT)/flags | $(OUT)/dependencies-found $(OUT)/criterion-found
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC    $<")
	$(Q)$(CC) $(CFLAGS) -Itests/support $(CRITERION_CFLAGS) -MMD -MP -c -o $@ $<

-include $(LIB_OBJ:.o=.d) $(MAIN_OBJ:.o=.d) $(wildcard $(OUT)/tests/obj/*/*.d)

deps: ## install what is missing (Debian packages; does nothing when all is there)
	tools/install-deps

demo: ## install, build, run a small shear cell on 2 ranks, end with pictures and numbers
	tools/install-deps
	$(MAKE) --no-print-directory all
	tools/demo $(PROGRAM)

check: ## install, build, run all tests (under 10 minutes on 2 cores)
	tools/install-deps
	$(MAKE) --no-print-directory -j2 WERROR=$(or $(WERROR),$(if $(CI),1)) check-programs
	$(MAKE) --no-print-directory -j2 BUILD=asan WERROR=$(or $(WERROR),$(if $(CI),1)) test-programs
	tests/run-checks

.PHONY: test-programs check-programs
test-programs: $(UNIT_BIN) $(MPI_BIN)
check-programs: test-programs $(PROGRAM) $(BENCH_BIN) $(PRELOADS) $(XX_PROGRAM)

validate: ## longer validation against published numbers (FILTER=case); writes build/validation.md
	tools/install-deps --validate
	$(MAKE) --no-print-directory all
	tests/run-validation $(PROGRAM) $(FILTER)

bench: ## speed beside LAMMPS, of files, contact laws: tests/bench/*; prints one line each
	tools/install-deps --bench
	$(MAKE) --no-print-directory all $(BENCH_BIN) $(PRELOADS)
	tests/bench/chute $(PROGRAM)
	tests/bench/dense $(PROGRAM)
	tests/bench/hertz $(PROGRAM)
	tests/bench/polydisperse $(PROGRAM)
	tests/bench/io $(PROGRAM)
	tests/bench/laws $(PROGRAM)
	tests/bench/analysis $(PROGRAM)
	tests/bench/cd $(PROGRAM)
	tests/bench/solvers $(PROGRAM)
	tests/bench/ed $(PROGRAM)
	tests/bench/balance $(PROGRAM)

manual: all ## write the tables of all keys, inputs/manual/keys.md
	$(PROGRAM) help --markdown > $(OUT)/keys.md && mv $(OUT)/keys.md inputs/manual/keys.md

gallery: all ## run the small inputs (half an hour) and draw the pictures of inputs/README.md
	tools/gallery $(PROGRAM) $(CASES)

PLACE = $(DESTDIR)$(PREFIX)
install: all ## copy program, library, headers, tools, inputs, man page and completion to PREFIX
	install -D $(PROGRAM) $(PLACE)/bin/scree
	install -D -m 644 $(LIB) $(PLACE)/lib/libscree.a
	install -d $(PLACE)/include/scree $(PLACE)/lib/pkgconfig $(PLACE)/share/man/man1 \
	    $(PLACE)/share/bash-completion/completions $(PLACE)/share/scree/tools
	install -m 644 include/scree/* $(PLACE)/include/scree
	printf '%s\n' 'prefix=$(PREFIX)' 'Name: scree' 'Description: granular matter in parallel' \
	    'Version: $(VERSION)' 'Cflags: -I$${prefix}/include' \
	    'Libs: -L$${prefix}/lib -lscree $(LDLIBS)' > $(PLACE)/lib/pkgconfig/scree.pc
	$(PROGRAM) help --man > $(PLACE)/share/man/man1/scree.1
	$(PROGRAM) help --completion > $(PLACE)/share/bash-completion/completions/scree
	cp -R tools/scree $(wildcard tools/scree-*) $(PLACE)/share/scree/tools
	for tool in $(notdir $(wildcard tools/scree-*)); do \
	    ln -sf ../share/scree/tools/$$tool $(PLACE)/bin/$$tool; done
	cp -R inputs jobscripts LICENSE CITATION.cff $(PLACE)/share/scree

FORMATTED = $(shell git ls-files -co --exclude-standard 'src/*.[ch]' 'include/*.h' 'tests/*.[ch]')
format: ## bring all C files into the house style
	clang-format -i $(FORMATTED)
format-check: ## is all C in the house style?
	clang-format --dry-run -Werror $(FORMATTED)

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile
	@echo "with BUILD=release|debug|asan, ARCH=native|x86-64-v2|..., PREFIX=$(PREFIX), WERROR=1, V=1,"
	@echo "MPIRUN='mpirun --oversubscribe' (how tests and demo start several ranks)"
