#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints what make has to know of this machine, as lines of a makefile: optional libraries, their flags, CUDA and its architecture.
# Settings and compilers come from the Makefile's variables, by the environment.
pkg() {
    "$PKG_CONFIG" "$@" 2>/dev/null
}

# found COMPILER LANGUAGE HEADER FUNCTION FLAG...: 1 where a program that takes header and function compiles and links.
found() {
    compiler=$1 language=$2 header=$3 function=$4
    shift 4
    echo "int main(void) { void *volatile f = (void *)$function; return !f; }" |
        $compiler -x "$language" -include "$header" - -x none -o /dev/null "$@" >/dev/null 2>&1 && echo 1
}

# shellcheck disable=SC2046,SC2086 # flags are words
{
    echo "CMD_CFLAGS := $(pkg --cflags libpng libcjson)"
    echo "CMD_LIBS := $(pkg --libs libpng libcjson)"
    echo "PNG_LIBS := $(pkg --libs libpng)"
    echo "TEST_LIBS := $(pkg --libs cmocka)"
    if [ "$CUDA" != 0 ] && [ -n "$NVCC" ]; then
        echo "HAVE_CUDA := $(found "$CXX" c++ cuda_runtime_api.h cudaGetDeviceCount $CUDA_CFLAGS $CUDA_LIBS -lpthread)"
    fi
    # Compressed kernels are a third of the size, and every program holds them.
    echo "NVCC_COMPRESS := $([ -z "$NVCC" ] || "$NVCC" --help 2>/dev/null | sed -n 's/^\(--compress-mode\) .*size.*/\1=size/p')"
    arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | sed -n '1s/^\([0-9]*\)$/\1/p')
    echo "CUDA_ARCH ?= ${arch:-90}"
    if [ "$BLAS" != 0 ]; then
        sgemm=$(found "$CC" c cblas.h cblas_sgemm $(pkg --cflags --libs openblas))
        echo "HAVE_BLAS := $sgemm"
        echo "HAVE_LAPACK := ${sgemm:+$(found "$CC" c lapacke.h LAPACKE_sgesv_work $(pkg --cflags --libs lapacke openblas))}"
        echo "HAVE_KLU := $(found "$CC" c suitesparse/klu.h klu_defaults -lklu)"
        echo "BLAS_CFLAGS := $(pkg --cflags openblas)"
    fi
    if [ "$FFTW" != 0 ]; then
        echo "HAVE_FFTW := $(found "$CC" c fftw3.h fftw_plan_r2r_2d $(pkg --cflags --libs fftw3))"
        echo "FFTW_CFLAGS := $(pkg --cflags fftw3)"
        echo "FFTW_LIBS := $(pkg --libs fftw3)"
    fi
    if [ "$MPI" != 0 ]; then # its headers are not ours to warn of
        cflags=$(pkg --cflags ompi-c | sed 's/\(^\| \)-I/\1-isystem /g') libs=$(pkg --libs ompi-c)
        echo "HAVE_MPI := $(found "$CC" c mpi.h MPI_Init_thread $cflags $libs)"
        echo "MPI_CFLAGS := $cflags"
        echo "MPI_LIBS := $libs"
    fi
    echo "HAVE_GMP := $(found "$CC" c gmp.h mpz_init -lgmp)"
    echo "QUICK_LINK := $(command -v ld.gold >/dev/null && echo -fuse-ld=gold)"
    echo "PROBED := $PROBED"
}
