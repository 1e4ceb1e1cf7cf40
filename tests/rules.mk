# SPDX-License-Identifier: MIT
# Rules of single tests, of checks by other compilers and drivers, and of the fuzzer, for the Makefile.

# ---- Objects that a test takes beside its own ----

$(B)/tests/fuzz/all: $(addprefix $(B)/tests/fuzz/,market.o solve.o options.o npy.o png.o glsl.o kernel.o kernel_file.o conf.o checkpoint.o file.o)
$(B)/tests/cuda/test_interop: $(if $(HAVE_CUDA),$(B)/tests/support/interop_kernels.cu.o)
$(B)/tests/cmd/paper/all: $(B)/papers.o

# ---- Files that a test runs or loads ----

# Beside a test runs: a program without OpenMP of its own, what CUDA's runtime takes for the driver's
# library, and what is loaded in front of OpenGL or of the C library.
$(B)/tests/support/reopen $(B)/tests/support/once_cc: %: %.o
	$(call say,link   ) $(CC) $(LDFLAGS) $< -o $@ -ldl
$(B)/tests/old_driver/libcuda.so.1: $(B)/tests/support/old_driver.o
$(B)/tests/fake_nvml/libnvidia-ml.so.1: $(B)/tests/support/fake_nvml.o
$(addprefix $(B)/tests/fake_device/,libcuda.so.1 libnvrtc.so): $(B)/tests/support/fake_device.o
$(B)/tests/copies.so: $(B)/tests/support/copies.o
$(B)/tests/hasty.so: $(B)/tests/support/hasty.o
$(addprefix $(B)/tests/,old_driver/libcuda.so.1 fake_nvml/libnvidia-ml.so.1 fake_device/libcuda.so.1 fake_device/libnvrtc.so copies.so hasty.so):
	@mkdir -p $(@D)
	$(call say,link   ) $(CC) -shared -Wl,-soname,$(@F) $^ -o $@ -ldl
$(addprefix $(B)/tests/support/,old_driver.o fake_nvml.o fake_device.o copies.o hasty.o): CFLAGS := $(filter-out -fvisibility=hidden -fsanitize% -Wstrict-prototypes,$(CFLAGS))
$(TESTS): | $(B)/tests/support/once_cc
$(B)/tests/gl/test_call: | $(B)/tests/support/reopen $(LIB_SO)
$(B)/tests/toolkit/test_examples: | $(addprefix $(B)/demos/,conway blur mean heat)
$(B)/tests/cuda/test_device: | $(B)/tests/old_driver/libcuda.so.1
$(B)/tests/engines/test_nvml: | $(B)/tests/fake_nvml/libnvidia-ml.so.1
$(addprefix $(B)/tests/,cheats/test_cheats cmd/run/test_functions): | $(addprefix $(B)/tests/fake_device/,libcuda.so.1 libnvrtc.so)
$(B)/tests/cmd/test_documented: | $(B)/tests/copies.so
$(filter $(B)/tests/cmd/%,$(TESTS)) $(B)/tests/gl/test_shaders: | $(B)/tests/hasty.so

# ---- Other compilers and drivers ----

# The oldest architecture that the compiler knows and those at which kernels differ (__CUDA_ARCH__), but for
# CUDA_ARCH, which all programs hold. Only whether they compile counts, so nothing is optimised, nor linked.
CUDA_ARCHS ?= $(filter-out $(CUDA_ARCH),75 80 90)
CHECKED    := $(patsubst %,$(B)/kernels/%.fatbin,$(CUDA_SRC) $(BASELINE_CU))

kernels: ## compile all CUDA kernels for each architecture at which they differ (CUDA_ARCHS)
	@$(if $(HAVE_CUDA),$(MAKE) --no-print-directory -j$(JOBS) $(CHECKED),echo 'kernels: there is no nvcc here')

$(B)/kernels/%.fatbin: % $(wildcard src/*/*/*.*h src/*/*/*/*.*h src/*/*/*/*/*.*h)
	@mkdir -p $(@D)
	$(call say,compile) $(NVCC) $(filter-out -arch=% -MD -MP,$(NVCC_FLAGS)) -fatbin -Xcicc -O1 -Xptxas -O0 \
	    $(foreach arch,$(CUDA_ARCHS),-gencode arch=compute_$(arch),code=sm_$(arch)) $< -o $@

# An OpenGL that shares no compiler with llvmpipe: 3.3, opened by EGL 1.4. It interprets shaders, so sizes are small.
SOFTPIPE     := env -u REQUIRE GALLIUM_DRIVER=softpipe QUADPASS_DEVICE=llvmpipe $(B)/quadpass
softpipe: all ## check all variants on softpipe too, Mesa's other software driver
	@$(SOFTPIPE) info | grep -q '^renderer  *softpipe' || { echo 'softpipe: Mesa has no such driver here'; exit 1; }
	@$(MAKE) --no-print-directory -j$(JOBS) --output-sync softpipe-13x11 softpipe-65x9

softpipe-%:
	@$(SOFTPIPE) check --size $*

# ---- The fuzzer ----

# A target of tests/fuzz, the options of its run; its corpus grows in the build folder.
FUZZ_CC      ?= clang
FUZZ_OPTIONS ?= -max_total_time=60
OPTIONS      := $(addprefix $(B)/src/tools/cmd/,$(addsuffix .o,options_check options_line options_list options_take output/outputs))
PICTURES     := $(addprefix $(B)/src/tools/cmd/output/,grid.o pixels.o raster.o sentence.o terminal.o)
FUZZED       := market options npy png glsl kernel kernel_file conf checkpoint

fuzz: setup-fuzz ## search for inputs that break the readers, a minute each (FUZZ_OPTIONS=-runs=N for other lengths)
	@command -v $(FUZZ_CC) >/dev/null || { echo 'fuzz: no $(FUZZ_CC) here, whose libFuzzer this takes'; exit 1; }
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=fuzz CC=$(FUZZ_CC) $(FUZZED:%=fuzz-%)

fuzz-%: $(B)/tests/fuzz/run_%
	@mkdir -p $(B)/corpus/$*
	@$< $(FUZZ_OPTIONS) -close_fd_mask=3 -timeout=10 -max_len=$(if $(filter market,$*),16384,4096) \
	    -dict=tests/fuzz/$*.dict -artifact_prefix=$(B)/$*- $(B)/corpus/$* tests/fuzz/$* tests/fuzz/corpus/$* $(if $(filter market,$*),tests/io/market) $(if $(filter kernel_file,$*),tests/kernels) \
	    >$(B)/$*.log 2>&1; code=$$?; \
	sed -n 's/^Done /$*: /p; /ERROR\|broken\|Test unit written/p' $(B)/$*.log; exit $$code

$(B)/tests/fuzz/run_options: $(OPTIONS)
$(B)/tests/fuzz/run_%: tests/fuzz/main.c $(B)/tests/fuzz/%.o $(B)/tests/fuzz/solve.o $(B)/tests/fuzz/file.o $(PICTURES) $(LIB_A)
	$(call say,link   ) $(CC) $(CPPFLAGS) $(CFLAGS) -fsanitize=fuzzer -DFUZZ_TARGET=fuzz_$* $(filter %.c %.o,$^) $(filter %.a,$^) -o $@ $(PNG_LIBS) $(LIBS)
