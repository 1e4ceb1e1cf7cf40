# SPDX-License-Identifier: MIT
# Quadpass. `make help` lists what may be typed; CONTRIBUTING.md says how things are added.

# SOVERSION is raised when programs that are linked with an older library would break.
VERSION   := $(shell sed -n 's/^.define QP_VERSION "\(.*\)"/\1/p' include/quadpass/quadpass.h)
SOVERSION := 1
PREFIX    ?= /usr/local
BINDIR    ?= $(PREFIX)/bin
LIBDIR    ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR    ?= $(PREFIX)/share/man
DOCDIR    ?= $(PREFIX)/share/doc/quadpass
SETUP     ?= 1
JOBS      ?= $(shell nproc 2>/dev/null || echo 1)
AT_ONCE   ?= $(if $(filter 1,$(JOBS)),1,2)
CUDA      ?= auto
BLAS      ?= auto
FFTW      ?= auto
MPI       ?= auto
CXX       ?= c++
PKG_CONFIG ?= pkg-config
CLANG_FORMAT ?= clang-format
# The command knows no browser: what it must run, from a list such as gl,browser.
comma := ,
space := $(comma:,= )
REQUIRED = $(subst $(space),$(comma),$(filter-out browser,$(subst $(comma),$(space),$(REQUIRE))))

# Printed before anything is looked for, so that nobody waits for the first line.
$(if $(filter demo,$(MAKECMDGOALS)),$(info make demo: a build, about two minutes on two cores the first time; then three stories, about one))

CONFIG := $(if $(filter 1,$(DEBUG)),debug,release)
B      := build/$(CONFIG)

# CUDA's compiler and runtime, if they are here, and the C++ compiler that they need. Kernels are compiled for
# one architecture, that of the GPU here or else CUDA_ARCH=90, and for newer ones when they are loaded. The
# runtime is linked statically, so that programs start where there is no CUDA, and say so.
CUDA_HOME ?= $(or $(wildcard /usr/local/cuda),$(patsubst %/bin/nvcc,%,$(shell command -v nvcc 2>/dev/null)))
NVCC      ?= $(wildcard $(CUDA_HOME)/bin/nvcc)
CUDA_CFLAGS := $(if $(wildcard $(CUDA_HOME)/include/cuda_runtime_api.h),-isystem $(CUDA_HOME)/include)
CUDA_LIBS   := $(if $(wildcard $(CUDA_HOME)/lib64/libcudart_static.a),-L$(CUDA_HOME)/lib64) -lcudart_static -ldl -lrt

# This machine's libraries, opponents and judges of src/lab/baseline and tests among them (OpenBLAS, LAPACKE, KLU, FFTW, Open MPI, GMP):
# looked for once, and again where a package or a setting has changed.
ASKED    := $(strip $(CC) $(CXX) $(NVCC) $(CUDA_HOME) $(CONFIG) $(CUDA) $(BLAS) $(FFTW) $(MPI))
PACKAGES := $(wildcard /var/lib/dpkg/status /var/lib/rpm/rpmdb.sqlite /var/lib/pacman/local)
ifneq ($(filter-out help clean uninstall demo exercise ready test lint fuzz setup-%,$(or $(MAKECMDGOALS),all)),)
include $(B)/config.mk
endif
$(B)/config.mk: tools/probe.sh Makefile $(PACKAGES) $(if $(subst x$(ASKED),,x$(PROBED)),FORCE)
	@mkdir -p $(@D)
	@CC='$(CC)' CXX='$(CXX)' PKG_CONFIG='$(PKG_CONFIG)' NVCC='$(NVCC)' CUDA='$(if $(filter fuzz,$(CONFIG)),0,$(CUDA))' BLAS='$(BLAS)' FFTW='$(FFTW)' MPI='$(MPI)' \
	    CUDA_CFLAGS='$(CUDA_CFLAGS)' CUDA_LIBS='$(CUDA_LIBS)' PROBED='$(ASKED)' tools/probe.sh >$@.$$$$ && mv $@.$$$$ $@
ifeq ($(CUDA)$(HAVE_CUDA)$(if $(PROBED),,1),1)
$(error CUDA=1: there is no nvcc in $(or $(CUDA_HOME),/usr/local/cuda) or on the PATH, or no C++ compiler, or no CUDA runtime that links; install the CUDA toolkit and g++, or name its folder by CUDA_HOME=)
endif

# ---- Flags ---------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
            -Wpointer-arith -Wwrite-strings
# Flags of make's command line are added to: override here, which lets += of a target add, too.
# No fused multiply-add: the same source gives the same bits on every processor.
CFLAGS   ?= $(if $(filter release,$(CONFIG)),-O3,-O1 -g)
OPENMP   := $(if $(filter fuzz,$(CONFIG)),-Wno-unknown-pragmas,-fopenmp)
override CFLAGS   += -std=c11 -fPIC $(OPENMP) -ffp-contract=off -fvisibility=hidden $(WARNINGS) -MMD -MP
override CPPFLAGS += -D_GNU_SOURCE -Iinclude -Isrc
ifeq ($(CONFIG),debug)
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
override CFLAGS   += $(SANITIZE)
override CPPFLAGS += -DQP_DEBUG
endif
ifeq ($(CONFIG),fuzz) # by make fuzz alone
SANITIZE := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
override CFLAGS   += $(SANITIZE)
endif
override LDFLAGS  += $(if $(filter debug,$(CONFIG)),$(SANITIZE))

# GLEW's own file also names libGLU and X11, which nothing here uses.
LIBS       = -lGLEW -lGL -lEGL -lpthread -lm -ldl $(if $(HAVE_CUDA),$(CUDA_LIBS))

ifdef HAVE_CUDA
# Kernels are C++14, whose headers take half of the front end's time, but for those that need more: libcu++, CUB, constexpr if.
CUDA_STD    := c++14
NEWER_CU    := $(addprefix src/lab/ops/,gauss_jordan/panel poisson5/cuda/ladder poisson5/cuda/resident \
    poisson5_batch/registers spmv/adaptive) src/lab/baseline/cub
$(NEWER_CU:%=$(B)/%.cu.o) $(NEWER_CU:%=$(B)/kernels/%.cu.fatbin): CUDA_STD := c++20
NVCC_FLAGS   = -std=$(CUDA_STD) -O3 -arch=sm_$(CUDA_ARCH) $(NVCC_COMPRESS) -Xcompiler -fPIC,-fvisibility=hidden,-fno-exceptions,-fno-threadsafe-statics,-Wall,-Wextra,-Wno-missing-field-initializers \
               -Iinclude -Isrc -MD -MP
endif

BASELINE_CFLAGS = $(if $(HAVE_BLAS),$(BLAS_CFLAGS)) $(if $(HAVE_FFTW),$(FFTW_CFLAGS))
BASELINE_LIBS   = $(if $(HAVE_CUDA),-lstdc++) $(if $(HAVE_KLU),-lklu) $(if $(HAVE_FFTW),$(FFTW_LIBS)) $(if $(HAVE_MPI),$(MPI_LIBS)) -ldl
BLAS_MISSING   := $(if $(HAVE_BLAS),,libopenblas-dev) $(if $(HAVE_LAPACK),,liblapacke-dev) $(if $(HAVE_KLU),,libsuitesparse-dev)

# ---- Files ---------------------------------------------------------------------------------------

DATA     := data/impcol_a.mtx data/west0067.mtx docs/opponents.csv
PAPERS   := $(sort $(wildcard docs/papers/paper*.csv docs/papers/paper*.table))
# Lists, style and records of `quadpass report`: for each device a file for each paper, and what claims need beside.
RECORDS  := 12-01-llvmpipe-report 11-24-llvmpipe-thesis 11-30-h200-report 11-23-h200-gauss-jordan-paper2 11-24-h200-thesis \
            11-24-h200-bench 11-24-h200-section8 11-24-h200-gauss-jordan-1000 11-24-h200-transpose-gl 11-24-h200-reduce \
            11-24-h200-transfer 11-24-h200-transfer-overlap 11-24-h200-gauss-jordan-batch
REPORT   := tools/site.css docs/papers/claims.csv docs/papers/places.csv $(RECORDS:%=docs/measurements/2026-%.json) \
            $(sort $(wildcard docs/measurements/2026-11-24-h200-access-*.json))
SHADERS  := $(sort $(wildcard shaders/*/*.frag shaders/*/*.vert shaders/*/*.comp))
CUDA_TEXTS := src/lab/ops/gauss_jordan_batch/registers.cuh
TEMPLATES := $(sort $(wildcard templates/* templates/*/*))
TEMPLATES := $(filter-out $(patsubst %/,%,$(dir $(TEMPLATES))),$(TEMPLATES))
CUDA_SRC := $(sort $(wildcard src/lab/engines/*.cu src/lab/ops/*/*.cu src/lab/ops/*/*/*.cu src/lab/solve/*/*.cu))
CUDA_C   := $(if $(HAVE_CUDA),$(filter-out src/toolkit/cuda/absent%,$(sort $(wildcard src/toolkit/cuda/*.c))),$(sort $(wildcard src/toolkit/cuda/absent*.c)) src/toolkit/cuda/nvrtc.c)
LIB_SRC  := $(filter-out src/toolkit/cuda/% src/lab/baseline/%,$(sort $(wildcard $(addsuffix /*.c,src/toolkit/* src/toolkit/*/* \
    src/lab/* src/lab/*/* src/lab/*/*/* src/tools/stencil src/tools/tune)))) $(CUDA_C)
BASELINE_SRC := $(sort $(wildcard src/lab/baseline/*.c))
CMD_SRC  := $(sort $(wildcard src/tools/cmd/*.c src/tools/cmd/*/*.c))
DEMO_SRC := $(sort $(wildcard demos/*.c) $(if $(HAVE_CUDA),$(wildcard demos/*.cu)))
TEST_SRC := $(sort $(wildcard tests/*/test_*.c tests/*/*/test_*.c))
SUPPORT_SRC := $(filter-out $(addprefix tests/support/,reopen.c old_driver.c fake_nvml.c copies.c hasty.c once_cc.c),$(sort $(wildcard tests/support/*.c)))
LIB_OBJ  := $(LIB_SRC:%.c=$(B)/%.o) $(B)/shaders.o $(B)/cuda_texts.o $(B)/templates.o $(if $(HAVE_CUDA),$(CUDA_SRC:%=$(B)/%.o),$(B)/no_kernels.o)
BASELINE_CU  := $(if $(HAVE_CUDA),$(sort $(wildcard src/lab/baseline/*.cu)))
BASELINE_OBJ := $(BASELINE_SRC:%.c=$(B)/%.o) $(BASELINE_CU:%=$(B)/%.o) $(B)/data.o
CMD_OBJ  := $(CMD_SRC:%.c=$(B)/%.o) $(B)/papers.o $(B)/report.o
TESTS    := $(TEST_SRC:%.c=$(B)/%)
SUPPORT_OBJ := $(SUPPORT_SRC:%.c=$(B)/%.o)
SUPPORT_A := $(B)/tests/libsupport.a
CMD_A    := $(B)/libcommand.a
DEMOS    := $(patsubst demos/%,$(B)/demos/%,$(basename $(DEMO_SRC)))
LIB_A    := $(B)/libquadpass.a
LIB_SO   := $(B)/libquadpass.so.$(VERSION)
SO_LINKS := libquadpass.so.$(SOVERSION) libquadpass.so

.DEFAULT_GOAL := all
.PHONY: FORCE all check long kernels softpipe test demo exercise ready docs site lint install uninstall install-test clean help fuzz setup-% programs counted
.DELETE_ON_ERROR:
.SECONDARY:

all: $(B)/quadpass $(LIB_A) $(LIB_SO) $(B)/quadpass.pc ## the command, the library, the demos
all: $(DEMOS)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile tests/rules.mk | expand -t 14
	@printf '%s\n' 'Variables: DEBUG=1 (sanitizers, GL debug output), SETUP=0 (never touch the package manager),' \
	    '  REQUIRE=gl,blas,cuda,browser (skips of that kind fail; gl in make test), CUDA=auto|0|1, CUDA_HOME=, CUDA_ARCH=90 (of its kernels), BLAS=auto|0|1, FFTW=auto|0|1, MPI=auto|0|1, V=1 (show the commands)' \
	    '  AT_ONCE=$(AT_ONCE) (test programs at a time)' \
	    '  DESTDIR=, PREFIX=$(PREFIX), BINDIR, LIBDIR, INCLUDEDIR, MANDIR, DOCDIR (where things are installed)'

# ---- Building ------------------------------------------------------------------------------------

# Short lines, unless V=1.
ifeq ($(V),)
say = @echo '  $(1)' '$@';
endif

$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,compile) $(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# Files that the library and the command hold, and what `check` solves: header, type, name, folder, then the files.
$(B)/shaders.c: EMBED = toolkit/gl/shaders.h 'struct qp_shader_file' qp_shader_files shaders $(SHADERS)
$(B)/cuda_texts.c: EMBED = toolkit/cuda/nvrtc.h 'struct qp_own_file' qp_cuda_files src/lab/ops $(CUDA_TEXTS)
$(B)/templates.c: EMBED = tools/stencil/stencil.h 'struct qp_own_file' qp_template_files templates $(TEMPLATES)
$(B)/papers.c: EMBED = tools/cmd/paper/papers.h 'struct qp_own_file' paper_files docs/papers $(PAPERS)
$(B)/report.c: EMBED = tools/cmd/report/report.h 'struct qp_own_file' report_files docs $(REPORT)
$(B)/data.c: EMBED = lab/baseline/files.h 'struct qp_own_file' baseline_files data $(DATA)
$(B)/shaders.c: $(SHADERS)
$(B)/cuda_texts.c: $(CUDA_TEXTS)
$(B)/templates.c: $(TEMPLATES)
$(B)/papers.c: $(PAPERS)
$(B)/report.c: $(REPORT)
$(B)/data.c: $(DATA)
EMBEDDED := $(addprefix $(B)/,shaders.c cuda_texts.c templates.c papers.c report.c data.c)
$(EMBEDDED): tools/embed.sh
	@mkdir -p $(@D)
	$(call say,embed  ) tools/embed.sh $(EMBED) >$@

$(B)/%.cu.o: %.cu Makefile
	@mkdir -p $(@D)
	$(call say,compile) $(NVCC) $(NVCC_FLAGS) -MF $(@:.o=.d) -MT $@ -c $< -o $@

$(B)/src/toolkit/cuda/%.o: CPPFLAGS += $(CUDA_CFLAGS) -DQP_CUDA_ARCH=$(shell echo '$(CUDA_ARCH)' | tr -dc 0-9)

# Without CUDA every entry of the kernels' headers is there, and empty.
$(B)/no_kernels.c: $(sort $(wildcard src/lab/ops/*/*kernels.h src/lab/ops/*/*/*kernels.h src/lab/engines/*kernels.h src/lab/solve/*/kernels.h))
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $(^:src/%=%) >$@
	@sed -n 's/.*[ ,*]\(qp_kernel_[a-z0-9_]*\)[,;].*/__typeof__(\1) \1;/p' $^ >>$@

$(EMBEDDED:.c=.o) $(B)/no_kernels.o: %.o: %.c
	$(call say,compile) $(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# Records whether the library has CUDA; a change makes it anew.
$(B)/with_cuda: FORCE
	@mkdir -p $(@D)
	@echo '$(HAVE_CUDA) $(CUDA_ARCH)' | cmp -s - $@ || echo '$(HAVE_CUDA) $(CUDA_ARCH)' >$@
$(CUDA_SRC:%=$(B)/%.o) $(BASELINE_CU:%=$(B)/%.o) $(CUDA_C:%.c=$(B)/%.o): $(B)/with_cuda

$(LIB_A): $(LIB_OBJ) $(B)/with_cuda
	@rm -f $@
	$(call say,archive) $(AR) rcsD $@ $(LIB_OBJ)

# It stays in memory after a dlclose: OpenMP's threads and the driver's would wake up in code that is gone.
$(LIB_SO): $(LIB_OBJ) $(B)/with_cuda
	$(call say,link   ) $(CC) -shared -fopenmp -Wl,-soname,libquadpass.so.$(SOVERSION) -Wl,--exclude-libs,ALL -Wl,-z,nodelete $(LDFLAGS) \
	    $(LIB_OBJ) -o $@ $(LIBS)
	@$(foreach link,$(SO_LINKS),ln -sf $(@F) $(B)/$(link);)

# Commit that made the program, for records. Where git does not say (a tarball; root in a user's
# checkout) the last answer is kept.
$(B)/commit.h: FORCE
	@mkdir -p $(@D)
	@commit=$$(git describe --always --dirty --abbrev=12 2>/dev/null) || [ ! -e $@ ] || exit 0; \
	commit=$${commit:-unknown}; \
	echo "#define QP_COMMIT \"$$commit\"" | cmp -s - $@ || echo "#define QP_COMMIT \"$$commit\"" >$@

# Which libraries src/lab/baseline finds. BLAS=1, FFTW=1 and MPI=1 are demands.
$(B)/have.h: FORCE
	@mkdir -p $(@D)
	@$(if $(and $(filter 1,$(BLAS)),$(strip $(BLAS_MISSING))),\
	    echo 'BLAS=1: please install $(strip $(BLAS_MISSING))' >&2; exit 1)
	@$(if $(filter 1,$(FFTW)),$(if $(HAVE_FFTW),,echo 'FFTW=1: please install libfftw3-dev' >&2; exit 1))
	@$(if $(filter 1,$(MPI)),$(if $(HAVE_MPI),,echo 'MPI=1: please install libopenmpi-dev' >&2; exit 1))
	@printf '#define QP_HAVE_%s\n' 'BLAS $(or $(HAVE_BLAS),0)' 'LAPACK $(or $(HAVE_LAPACK),0)' \
	    'KLU $(or $(HAVE_KLU),0)' 'FFTW $(or $(HAVE_FFTW),0)' 'MPI $(or $(HAVE_MPI),0)' 'CUDA $(or $(HAVE_CUDA),0)' 'GMP $(or $(HAVE_GMP),0)' >$@.$$PPID
	@cmp -s $@.$$PPID $@ && rm $@.$$PPID || mv $@.$$PPID $@

$(B)/src/lab/baseline/%.o: CPPFLAGS += -I$(B) $(BASELINE_CFLAGS)
# Flags that hold the folder of the build (packagers' -ffile-prefix-map) decide nothing, and two folders give the same bytes.
$(B)/src/tools/cmd/opponents.o: CPPFLAGS += -DQP_FLAGS='"$(filter-out -W% -M% -std% -fPIC -fvisibility% -ffile-prefix% -fdebug-prefix% -fmacro-prefix%,$(CFLAGS))"' \
    -DQP_NVCC_FLAGS='"$(filter-out -M% -I% -std% -Xcompiler -fPIC%,$(NVCC_FLAGS))"'
$(B)/src/lab/baseline/mpi.o: CPPFLAGS += $(MPI_CFLAGS)
$(BASELINE_OBJ): | $(B)/have.h
$(B)/src/tools/cmd/opponents.o: $(B)/with_cuda

$(B)/src/tools/cmd/%.o: CPPFLAGS += -I$(B) $(CMD_CFLAGS)
$(CMD_OBJ): | $(B)/commit.h
$(addprefix $(B)/src/tools/cmd/,check.o output/records.o): $(B)/commit.h
$(B)/src/tools/cmd/paper/peaks.o: CFLAGS += -ffp-contract=fast

$(B)/quadpass: $(CMD_OBJ) $(BASELINE_OBJ) $(LIB_A)
	$(call say,link   ) $(CC) -fopenmp $(LDFLAGS) $^ -o $@ $(CMD_LIBS) $(BASELINE_LIBS) $(LIBS)

$(B)/demos/%: $(B)/demos/%.o $(LIB_A)
	$(call say,link   ) $(CC) -fopenmp $(LDFLAGS) $^ -o $@ $(DEMO_LIBS) $(LIBS)
$(B)/demos/reaction: DEMO_LIBS = $(PNG_LIBS)
$(addprefix $(B)/,demos/reaction.o tests/demos/test_reaction.o): CPPFLAGS += $(CMD_CFLAGS)
$(B)/demos/%: $(B)/demos/%.cu.o $(LIB_A)
	$(call say,link   ) $(CC) -fopenmp $(LDFLAGS) $^ -o $@ $(LIBS)

# Always looked at anew: the places may be others than last time, and the last file root's.
$(B)/quadpass.pc: tools/quadpass.pc.in FORCE
	@mkdir -p $(@D)
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@CUDA_LIBS@|$(if $(HAVE_CUDA),$(CUDA_LIBS))|' \
	    -e 's|@LIBDIR@|$(LIBDIR:$(PREFIX)/%=$${prefix}/%)|' \
	    -e 's|@INCLUDEDIR@|$(INCLUDEDIR:$(PREFIX)/%=$${prefix}/%)|' $< >$@.$$$$ && mv -f $@.$$$$ $@

# ---- Tests ---------------------------------------------------------------------------------------

# Tests take longer to compile than they gain by -O3.
$(B)/tests/%.o: CFLAGS += $(if $(filter release,$(CONFIG)),-O1)
$(B)/tests/%.o: CPPFLAGS += -DQP_SOURCE_DIR='"$(CURDIR)"' -DQP_BUILD_DIR='"$(CURDIR)/$(B)"' -Itests
$(B)/tests/support/judge.o: CPPFLAGS += -I$(B)
$(B)/tests/support/judge.o: | $(B)/have.h

# All tests of a folder are one program, `all`, and each file of them a link to it (tests/support/main.c), but for files that
# answer functions in the place of others, by a line `wrap:` or `own program:`, or hold source files. Programs take what they
# need of the support, of the command and of the library, by the faster linker of binutils where it is.
OWN      := $(patsubst %.c,$(B)/%,$(shell grep -lE '^/[*] (wrap|own program):|^ANSWER\>|^WRAP\>|^#include ".*[.]c"' $(TEST_SRC)))
FOLDERS  := $(patsubst %,%all,$(sort $(dir $(filter-out $(OWN),$(TESTS)))))
$(SUPPORT_A): $(SUPPORT_OBJ)
	@rm -f $@
	$(call say,archive) $(AR) rcsD $@ $^
$(CMD_A): $(filter-out %/main.o,$(CMD_OBJ))
	@rm -f $@
	$(call say,archive) $(AR) rcsD $@ $^
$(OWN): %: %.o
$(foreach folder,$(FOLDERS),$(eval $(folder): $(patsubst %,%.o,$(filter $(folder:all=test_)%,$(filter-out $(OWN),$(TESTS))))))
$(OWN) $(FOLDERS): $(SUPPORT_A) $(CMD_A) $(BASELINE_OBJ) $(LIB_A)
	@rm -f $@
	$(call say,link   ) $(CC) $(QUICK_LINK) -fopenmp $(LDFLAGS) $(if $(filter $@,$(OWN)),$(shell tools/wraps.sh $(@:$(B)/%=%).c)) $(filter %.o,$^) -o $@ \
	    $(SUPPORT_A) $(CMD_A) $(SUPPORT_A) $(LIB_A) $(TEST_LIBS) $(CMD_LIBS) $(BASELINE_LIBS) $(LIBS) $(if $(HAVE_GMP),-lgmp)
$(foreach test,$(filter-out $(OWN),$(TESTS)),$(eval $(test): $(dir $(test))all))
$(filter-out $(OWN),$(TESTS)):
	@ln -sf all $@

include tests/rules.mk

programs: all $(TESTS)

# The longest first, so that none is what all others wait for.
LONGEST := $(addprefix $(B)/tests/,house/test_exercises stencil/test_programs stencil/test_random stencil/test_mutants cmd/tune/test_live \
    cmd/run/test_trial house/test_docs cmd/run/test_reference cmd/tune/test_near cmd/run/test_machine stencil/test_parts demos/test_shaders)
check: programs ## build and run all tests, without set-up
	@REQUIRE='$(REQUIRE)' QUADPASS_REQUIRE='$(REQUIRED)' AT_ONCE='$(AT_ONCE)' CC='$(CC)' CXX='$(CXX)' tools/run-tests.sh $(B) \
	    $(filter $(TESTS),$(LONGEST)) $(filter-out $(LONGEST),$(TESTS))

long: programs ## run an eighth of the test programs that take longer with LONG=1, each time the next; PART=0 to 7 says which
	@REQUIRE='$(REQUIRE)' QUADPASS_REQUIRE='$(REQUIRED)' AT_ONCE='$(AT_ONCE)' CC='$(CC)' CXX='$(CXX)' tools/long.sh $(B) $(PART)

# After the set-up OpenGL is here, so what is skipped for want of it fails, unless REQUIRE says otherwise.
test: REQUIRE ?= gl
test: setup-test ## set the machine up, run all tests and the install test
	@$(MAKE) --no-print-directory -j$(JOBS) programs
	@$(MAKE) --no-print-directory REQUIRE='$(REQUIRE)' check install-test

install-test: all ## install into a scratch folder and build foreign programs against it
	@MAKE='$(MAKE)' CC='$(CC)' tests/house/install.sh $(B)
	@$(if $(filter release,$(CONFIG)),tests/house/workflow.sh)

setup-%: ## install the packages for build, test, lint or browser
	@SETUP=$(SETUP) tools/setup.sh $*

# ---- The rest ------------------------------------------------------------------------------------

# Kernels are compiled for the demo where a driver of NVIDIA's answers, or a build with them is there already.
DEMO_CUDA = $(if $(filter auto,$(CUDA)),$(shell [ -e /proc/driver/nvidia/version ] || nvidia-smi >/dev/null 2>&1 || \
    grep -qs '^1' $(B)/with_cuda || echo 0),$(CUDA))
ready: setup-build
	@$(MAKE) --no-print-directory CUDA=$(or $(DEMO_CUDA),auto) counted

demo: ready ## set the machine up, build, and run the demonstration
	@QUADPASS_REQUIRE='$(REQUIRED)' demos/demo.sh $(B)

# The exercise and the file are looked for before anything is built. On a terminal an answer that is wrong is no error of make's,
# whose line would come after the judge's.
exercise: ## list the exercises, or judge an answer to one: NAME=blur FILE=mine.frag
	@MAKE='$(MAKE)' CC='$(CC)' tools/exercise.sh $(B) '$(NAME)' '$(FILE)' || { [ $$? -eq 1 ] && [ -t 1 ]; }

counted:
	@{ $(MAKE) --no-print-directory -j$(JOBS) all || echo failed; } | tools/count.sh $(words $(LIB_OBJ) $(BASELINE_OBJ) $(CMD_OBJ) $(DEMOS) $(DEMOS))

docs: setup-test all ## regenerate the tables in README.md, docs/ and man/, and the walks
	tools/docs.sh $(B) README.md ARCHITECTURE.md man/quadpass.1 man/libquadpass.3 docs/*.md docs/papers/*.md docs/measurements/*.md \
	    docs/exercises/*.md docs/exercises/*/*.md
	$(B)/quadpass report --measured-only -o $(B)/report && cp $(B)/report/index.html docs/report/

site: setup-test ## make the documentation a folder of HTML, build/site
	tools/site.sh build/site

C_FILES = $(shell git ls-files '*.c' '*.h' '*.cu' '*.cuh' 2>/dev/null)
lint: setup-lint ## format check, static analysis, shell check
	@test -n "$(C_FILES)" || { echo 'lint: git lists no C files here'; exit 1; }
	@echo '$(CLANG_FORMAT) --dry-run -Werror, $(words $(C_FILES)) files'
	@printf '%s\n' $(C_FILES) | xargs -n 50 -P $(JOBS) $(CLANG_FORMAT) --dry-run -Werror
	@mkdir -p build/cppcheck
	cppcheck -j $(JOBS) --cppcheck-build-dir=build/cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
	    --inline-suppr --suppress=missingIncludeSystem -Iinclude -Isrc -D_GNU_SOURCE -DGL_HEADLESS_IMPLEMENTATION src demos headless/gl_headless.h
	mandoc -Tlint -Wstyle man/*.[13]
	tools/glslang.sh $(SHADERS)
	$(if $(shell command -v node),printf '%s\n' tests/*/*.mjs | xargs -n 1 node --check,@echo 'no node here: tests/*/*.mjs are not checked')
	shellcheck .ci/run .ci/bare demos/*.sh tools/*.sh tests/house/*.sh debian/tests/installed
	@echo 'mechanisms, as tests/house/mechanisms.txt lists them:'; grep -E '^[a-z]+ [0-9]+$$' tests/house/mechanisms.txt | paste -sd, | sed 's/,/, /g'

# Folders of installed files; uninstall removes the same list.
BIN_DIR  := $(DESTDIR)$(BINDIR)
LIB_DIR  := $(DESTDIR)$(LIBDIR)
INC_DIR  := $(DESTDIR)$(INCLUDEDIR)/quadpass
MAN_DIR  := $(DESTDIR)$(MANDIR)
DOC_DIR  := $(DESTDIR)$(DOCDIR)
# Pages, what they show and name, and the licence, in the folders that they have here.
DOC_FILES := $(wildcard LICENSE README.md CHANGELOG.md docs/*.md docs/papers/*.md docs/*.csv docs/papers/*.csv docs/pictures/*.* docs/pictures/gallery/* docs/live/* demos/*.c* demos/shaders/* demos/judge/* demos/kernels/*) \
    $(filter-out %/mine.frag %/mine.c,$(wildcard docs/exercises/*.md docs/exercises/*/*))

install: all ## install command, libraries, headers, manual pages, documentation below $(DESTDIR)$(PREFIX)
	install -d $(BIN_DIR) $(LIB_DIR)/pkgconfig $(INC_DIR) $(MAN_DIR)/man1 $(MAN_DIR)/man3
	install -m 755 $(B)/quadpass $(BIN_DIR)
	install -m 755 $(LIB_SO) $(LIB_DIR)
	$(foreach link,$(SO_LINKS),ln -sf $(notdir $(LIB_SO)) $(LIB_DIR)/$(link) &&) true
	install -m 644 $(LIB_A) $(LIB_DIR)
	install -m 644 $(B)/quadpass.pc $(LIB_DIR)/pkgconfig
	install -m 644 include/quadpass/*.h headless/gl_headless.h $(INC_DIR)
	install -m 644 man/quadpass.1 $(MAN_DIR)/man1
	install -m 644 man/libquadpass.3 $(MAN_DIR)/man3
	$(foreach file,$(DOC_FILES),install -D -m 644 $(file) $(DOC_DIR)/$(file) &&) true

uninstall: ## remove what install put there
	rm -f $(BIN_DIR)/quadpass $(addprefix $(LIB_DIR)/,$(notdir $(LIB_SO) $(LIB_A)) $(SO_LINKS)) \
	    $(LIB_DIR)/pkgconfig/quadpass.pc $(MAN_DIR)/man1/quadpass.1 $(MAN_DIR)/man3/libquadpass.3
	rm -rf $(INC_DIR) $(DOC_DIR)

clean: ## remove everything that was built
	rm -rf build

-include $(wildcard $(addsuffix .d,$(addprefix $(B)/,* */* */*/* */*/*/* */*/*/*/* */*/*/*/*/*)))
