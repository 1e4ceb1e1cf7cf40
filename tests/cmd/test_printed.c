/* SPDX-License-Identifier: MIT */
/* Whole outputs of commands, on llvmpipe: compared with the files of tests/cmd/printed, where #
 * replaces numbers that another machine or another run may print otherwise, blanks are one, and
 * variants are left out that only some builds have. Where text is meant to change, RENEW=1 writes
 * the files anew: read the difference. */
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers with a point or an exponent, or all numbers and factors such as x10; and what is no
 * number. */
#define FRACTIONS "[-+]?[0-9]+\\.[0-9]+(e[-+]?[0-9]+)?|[-+]?[0-9]+e[-+]?[0-9]+"
#define ALL       "[-+]?\\<x?[0-9]+(\\.[0-9]+)?(e[-+]?[0-9]+)?"
#define NOBODY    "\\<-?(nan|inf)\\>"

/* Operations by name, so that a new one changes no file. */
#define OPERATIONS "'access/*' 'gauss*' 'jacobi9/*' 'reduce/*' 'trans*'"

static const struct {
    const char *name, *command, *numbers;
    bool draws;
} cases[] = {
    {"walk_rgba", "walk jacobi9/rgba -n 8", FRACTIONS, true},
    {"walk_systems", "walk jacobi9/vertex_systems -n 3", FRACTIONS, true},
    {"walk_tiles", "walk jacobi9/rgba_tiles -n 70000x3", FRACTIONS, true},
    {"walk_openmp", "walk jacobi9/openmp -n 4", FRACTIONS, false},
    {"walk_elimination", "walk gauss_jordan/shrinking_pivoted --problem permuted -n 4", FRACTIONS,
     true},
    {"walk_compute", "walk jacobi9/compute -n 4", ALL, true},
    {"walk_bound", "walk jacobi9/luminance_notex -n 3", FRACTIONS, true},
    {"walk_blocks", "walk gauss_jordan/blocks -n 4", FRACTIONS, true},
    {"walk_blend", "walk gauss_jordan/blend_multiply -n 3", FRACTIONS, true},
    {"walk_back", "walk gauss_jordan/blend_elimination -n 3", FRACTIONS, true},
    {"walk_lu", "walk gauss_jordan/lu -n 3", FRACTIONS, true},
    {"walk_blocked", "walk gauss_jordan/blocked -n 5", FRACTIONS, true},
    {"walk_blocked_compute", "walk gauss_jordan/blocked_compute -n 5", FRACTIONS, true},
    {"walk_batch", "walk gauss_jordan_batch/passes -n 3x5", FRACTIONS, true},
    {"walk_batch_unpivoted", "walk gauss_jordan_batch/unpivoted -n 3x5 --problem dominant",
     FRACTIONS, true},
    {"walk_batch_openmp", "walk gauss_jordan_batch/openmp -n 3x5", FRACTIONS, false},
    {"walk_reduction", "walk reduce/compensated --problem dot -n 8", FRACTIONS, true},
    {"walk_transfer", "walk transfer/asynchronous --problem overlap -n 5", FRACTIONS, true},
    {"walk_transpose", "walk transpose/rgba_rows -n 8x4", FRACTIONS, true},
    {"walk_access", "walk access/fetch_stride -n 4x3 --problem stride", FRACTIONS, true},
    {"walk_parts", "walk poisson5/parts_rgba -n 6 --parts 3 --depth 2", FRACTIONS, true},
    {"walk_red_black", "walk poisson5/red_black -n 5", FRACTIONS, true},
    {"walk_registers", "walk gauss_jordan_batch/registers -n 3x5", FRACTIONS, true},
    {"list_kinds", "list --kinds " OPERATIONS, "@", false},
    {"check", "check jacobi9/luminance jacobi9/bands_cpu gauss_jordan/loop reduce/tree -n 9", ALL,
     true},
    {"check_access", "check access/loop -n 9", ALL, false},
    {"bench", "bench jacobi9/openmp jacobi9/luminance -n 16 --repeats 1 --iterations 2", ALL, true},
    {"bench_ways", "bench jacobi9/rgba -n 16 --repeats 1 --iterations 2 --pingpong all", ALL, true},
    {"bench_batch", "bench gauss_jordan_batch/openmp -n 4x9 --repeats 1 --iterations 1", ALL,
     false},
    {"bench_transfer", "bench transfer/memcpy -n 16 --repeats 1 --iterations 1", ALL, false},
    {"bench_access", "bench access/loop -n 16 --repeats 1 --iterations 1 --problem stride", ALL,
     false},
    {"accuracy", "accuracy jacobi9/luminance jacobi9/inverse -n 16 --iterations 3", ALL, true},
    {"shaders", "shaders " OPERATIONS, FRACTIONS, false},
    {"list", "list 'reduce/tree*' 'transpose/rgba*' jacobi9/reference", FRACTIONS, false},
};

/* Leaves what the command prints, masked, in the build folder, and looks for differences. */
static bool is_as_before(const char *name, const char *command, const char *numbers)
{
    char line[2048];
    snprintf(
        line, sizeof line,
        "%s >printed 2>&1; mkdir -p " QP_BUILD_DIR "/tests/printed; sed -E -e 's/%s/#/g' -e "
        "'s/%s/#/g' -e 's/ +/ /g' -e 's/(ours, compiler) .*/\\1 #/' -e '/cuda|blas|sgesv/d' -e "
        "'/^(check|bench) of /d' printed >" QP_BUILD_DIR "/tests/printed/%s.txt",
        command, numbers, NOBODY, name);
    assert_int_equal(run(line), 0);
    snprintf(line, sizeof line,
             "--version; made=" QP_BUILD_DIR "/tests/printed/%s.txt; kept=" QP_SOURCE_DIR
             "/tests/cmd/printed/%s.txt; %s",
             name, name, getenv("RENEW") != NULL ? "cp $made $kept" : "diff -u $kept $made");
    if (run(line) == 0)
        return true;
    print_error("%s\n", output);
    return false;
}

static void compare_all(bool draws)
{
    int different = 0;
    for (int i = 0; i < COUNT(cases); i++) {
        if (cases[i].draws == draws &&
            !is_as_before(cases[i].name, cases[i].command, cases[i].numbers))
            different++;
    }
    assert_int_equal(different, 0);
}

TEST(rows_on_the_cpu)
{
    compare_all(false);
}

TEST(rows_on_opengl)
{
    need_gl();
    if (!on_llvmpipe())
        skip();
    compare_all(true);
}

GROUP(make_folder_in_haste, remove_folder)
