/* SPDX-License-Identifier: MIT */
/* Programs of CUDA variants that may be tuned: their spaces, and that they compile, with LONG=1 all
 * of them. Their answers are judged where a device is (test_variant.c). */
#include "support/kernel_text.h"
#include "support/support.h"
#include "tools/cmd/tune/program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/stencil/stencil.h"

#include "../templates/sizes.h"

static const struct {
    const char *row, *usual;
    int count, step; /* configurations, and from one that is compiled to the next */
} programs[] = {
    {"transpose/cuda_padded",
     "local=1 tile=32 threads=256 vector=1 pad=1 diagonal=0 along=0 cached=0", 528, 264},
    {"reduce/cuda_cascaded", "threads=256 each=24 vector=1 near=0 shuffle=0 atomic=0", 600, 300},
};

static void read_space(const char *row, struct qp_space *out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    const struct tune_program *program = tune_program_find(row);
    assert_non_null(program);
    assert_ok(tune_program_put_space(program, file));
    fclose(file);
    assert_ok(qp_space_read(text, out));
    free(text);
}

TEST(spaces_are_read)
{
    for (int k = 0; k < COUNT(programs); k++) {
        struct qp_space space;
        char text[QP_SPACE_TEXT];
        read_space(programs[k].row, &space);
        assert_int_equal(space.count, programs[k].count);
        assert_string_equal(qp_space_text(&space, 0, text), programs[k].usual);
        qp_space_destroy(&space);
    }
    assert_null(tune_program_find("transpose/cuda_tiled_32"));
}

/* The number of configuration `k` that this parameter has. */
static int value_of(const struct qp_space *space, int configuration, const char *name)
{
    int k = 0;
    while (strcmp(space->parameter[k].name, name) != 0)
        k++;
    return (int)space->parameter[k].number[qp_space_digit(space, configuration, k)];
}

/* Whatever blocks and tiles are, two whole ones and a part of another are judged. */
TEST(seams_are_met)
{
    const struct qp_size size = tune_program_seams();
    struct qp_space space;
    read_space("transpose/cuda_padded", &space);
    for (int k = 0; k < space.count; k++) {
        const int tile = value_of(&space, space.valid[k], "tile");
        assert_true(size.width > 2 * tile && size.width % tile > 0);
        assert_true(size.height > 2 * tile && size.height % tile > 0);
    }
    qp_space_destroy(&space);
    read_space("reduce/cuda_cascaded", &space);
    for (int k = 0; k < space.count; k++) {
        const int block =
            value_of(&space, space.valid[k], "threads") * value_of(&space, space.valid[k], "each");
        assert_true(size.width * size.height > 2 * block);
        assert_true(size.width * size.height % block > 0);
    }
    qp_space_destroy(&space);
}

/* Blocks of the template for CUDA, as its launches have them (templates/cuda_steps/steps.cu):
 * wherever a seam is planted, the size of two tiles has it, whole blocks before it, and a part of
 * one. */
TEST(seams_of_kernels_are_met)
{
    static const char *const texts[] = {
        "float kernel(vec2 here) { return x_at(1.0, 0.0); }",
        "float kernel(vec2 here) { return x_at(0.0, -3.0); }",
        "double kernel(vec2 here) { return 0.5 * x_at(2.0, 1.0); }"};
    for (int t = 0; t < COUNT(texts); t++) {
        struct qp_kernel_file *file = kernel_text_read(texts[t]);
        struct qp_stencil stencil;
        struct qp_space space;
        char *text = NULL;
        size_t bytes = 0;
        int width, height;
        assert_non_null(file);
        assert_ok(qp_stencil_read(file, &stencil));
        FILE *out = open_memstream(&text, &bytes);
        assert_ok(qp_stencil_put_space(&stencil, "cuda", 4, out));
        fclose(out);
        assert_ok(qp_space_read(text, &space));
        awkward_size(SIZE_OF_TILES, stencil.reach, qp_space_tile(&space, 0),
                     qp_space_tile(&space, 1), &width, &height);
        for (int k = 0; k < space.count; k++) {
            const int steps = value_of(&space, space.valid[k], "steps"),
                      cells = value_of(&space, space.valid[k], "cells"),
                      warps = value_of(&space, space.valid[k], "threads") / 32,
                      beside = warps < 4 ? warps : 4,
                      halo = (steps * stencil.reach + cells - 1) / cells * cells,
                      columns = steps > 1 ? 32 * cells - 2 * halo : 32 * cells * beside,
                      rows = steps > 1 ? steps * stencil.reach
                                       : warps / beside * value_of(&space, space.valid[k], "up");
            char said[QP_SPACE_TEXT];
            if (steps > 1 && 4 * halo > 32 * cells)
                continue; /* they do not fit, and less are taken at once */
            if (width <= 2 * columns || height <= 2 * rows ||
                (width % columns == 0 && height % rows == 0))
                fail_msg("%s: %d x %d has no seams of blocks of %d x %d",
                         qp_space_text(&space, space.valid[k], said), width, height, columns, rows);
        }
        qp_space_destroy(&space);
        free(text);
        qp_kernel_file_destroy(&file);
    }
}

/* Compiles a configuration's program, with the first `from` in it replaced. */
static enum qp_status compile(const char *row, const struct qp_space *space, int configuration,
                              const char *from, const char *to)
{
    char *text = NULL, path[64];
    size_t size = 0;
    FILE *file = open_memstream(&text, &size), *out = tmpfile();
    assert_ok(tune_program_put(tune_program_find(row), space, configuration, file));
    fclose(file);
    char *at = strstr(text, from);
    assert_non_null(at);
    memcpy(at, to, strlen(to));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(out));
    const enum qp_status status =
        qp_cubin_compile("rows.cu", text, (const char *[]){"-arch=sm_90"}, 1, path);
    assert_true(status != QP_OK || lseek(fileno(out), 0, SEEK_END) > 1000);
    fclose(out);
    free(text);
    return status;
}

TEST(programs_compile)
{
    const bool all = getenv("LONG") != NULL;
    for (int k = 0; k < COUNT(programs); k++) {
        struct qp_space space;
        const char *row = programs[k].row;
        read_space(row, &space);
        if (compile(row, &space, 0, "(", "(") == QP_UNSUPPORTED)
            skip(); /* no NVRTC */
        for (int i = 0; i < space.count; i += all ? 1 : programs[k].step)
            assert_ok(compile(row, &space, space.valid[i], "(", "("));
        assert_int_equal(compile(row, &space, 0, "__syncthreads();", "__syncthreats();"),
                         QP_BAD_INPUT);
        support_assert_sentence("does not compile: rows.cu(");
        qp_space_destroy(&space);
    }
}

GROUP(kernel_text_open, kernel_text_close)
