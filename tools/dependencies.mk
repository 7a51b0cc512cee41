# Finds the libraries. Gives DEP_CFLAGS, DEP_LIBS, PETSC_LIBS, CRITERION_CFLAGS, CRITERION_LIBS and
# two targets to depend on: $(OUT)/dependencies-found and, for the tests, $(OUT)/criterion-found.
# The findings are kept in build/probe.mk; they are found anew when this file, the installed
# packages, the compiler or PKG_CONFIG_PATH change. PARMETIS=no or PETSC=no leaves that one out.

PROBE        := build/probe.mk
PROBE_FOR    := $(CC) $(PKG_CONFIG_PATH)
PROBE_FREE   := clean help deps demo check check-asan validate bench format format-check
NEEDS_PROBE  := $(filter-out $(PROBE_FREE),$(or $(MAKECMDGOALS),all))

# Headers of others are system headers: our warnings are not for them.
only_include  = $(patsubst -I%,-isystem %,$(filter -I%,$(1)))

ifneq ($(NEEDS_PROBE),)
-include $(PROBE)
ifneq ($(strip $(PROBED_FOR)),$(strip $(PROBE_FOR)))
$(PROBE): probe-again
endif
endif
.PHONY: probe-again

# One shell script: `module NAME PACKAGE PKG_CONFIG_NAMES...` takes the first name that is known,
# `compiles FLAGS < program` says whether a program compiles and links.
$(PROBE): tools/dependencies.mk $(wildcard /var/lib/dpkg/status)
	@mkdir -p $(@D); out=$@.tmp.$$$$; missing=; try=$(@D)/probe.$$$$; \
	compiles() { cat > $$try.c; $(CC) -o $$try $$try.c "$$@" > /dev/null 2>&1; }; \
	module() { name=$$1; package=$$2; shift 2; for pc; do \
	    if pkg-config --exists $$pc 2> /dev/null; then \
	        echo "$${name}_CFLAGS := $$(pkg-config --cflags $$pc)"; \
	        echo "$${name}_LIBS := $$(pkg-config --libs $$pc)"; return; fi; done; \
	    echo "$${name}_MISSING := $$package"; }; \
	{ echo "PROBED_FOR := $(PROBE_FOR)"; \
	  command -v pkg-config > /dev/null || echo 'PKG_CONFIG_MISSING := pkg-config'; \
	  echo '#include <mpi.h>|int main(void) { return MPI_Finalize(); }' | tr '|' '\n' | \
	      compiles || echo 'MPI_MISSING := libopenmpi-dev openmpi-bin'; \
	  module YAML libyaml-dev yaml-0.1; \
	  module XXHASH libxxhash-dev libxxhash; \
	  module HDF5 libhdf5-openmpi-dev hdf5-openmpi hdf5-mpi hdf5; \
	  module CRITERION libcriterion-dev criterion; \
	  module PETSC petsc-dev PETSc petsc; \
	  echo '#include <Random123/philox.h>|int main(void) { return 0; }' | tr '|' '\n' | \
	      compiles || echo 'RANDOM123_MISSING := librandom123-dev'; \
	  printf '%s\n' '#include <parmetis.h>' 'void *volatile f = (void *)ParMETIS_V3_AdaptiveRepart;' \
	      'int main(void) { return !f; }' | compiles -lparmetis -lmetis && \
	      echo 'PARMETIS_LIBS := -lparmetis -lmetis'; \
	  true; } > $$out; rm -f $$try $$try.c; mv $$out $@

DEP_MISSING := $(PKG_CONFIG_MISSING) $(MPI_MISSING) $(YAML_MISSING) $(XXHASH_MISSING) \
	$(HDF5_MISSING) $(RANDOM123_MISSING)
DEP_CFLAGS  := $(call only_include,$(YAML_CFLAGS) $(XXHASH_CFLAGS) $(HDF5_CFLAGS))
DEP_LIBS    := $(HDF5_LIBS) $(YAML_LIBS) $(XXHASH_LIBS)

# Debian's PT-Scotch has a library of the same name without AdaptiveRepart: hence the link test.
ifneq ($(and $(PARMETIS_LIBS),$(filter-out no,$(or $(PARMETIS),yes))),)
DEP_CFLAGS += -DSCREE_HAVE_PARMETIS
DEP_LIBS   += $(PARMETIS_LIBS)
endif
ifneq ($(and $(PETSC_LIBS),$(filter-out no,$(or $(PETSC),yes))),)
DEP_CFLAGS += -DSCREE_HAVE_PETSC $(call only_include,$(PETSC_CFLAGS))
DEP_LIBS   += $(if $(wildcard src/*/petsc_*.c),$(PETSC_LIBS))
endif
CRITERION_CFLAGS := $(call only_include,$(CRITERION_CFLAGS)) $(filter-out -I%,$(CRITERION_CFLAGS))

# What is missing is looked for again next time, so a failure leaves no findings behind.
define require
	@mkdir -p $(@D)
	@$(if $(strip $(1)),rm -f $(PROBE); \
	    echo "scree: missing: $(strip $(1)) (names of Debian packages): run 'make deps'" >&2; \
	    exit 1,touch $@)
endef
$(OUT)/dependencies-found: $(PROBE)
	$(call require,$(DEP_MISSING))
$(OUT)/criterion-found: $(PROBE)
	$(call require,$(CRITERION_MISSING))
