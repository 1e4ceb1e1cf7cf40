/* SPDX-License-Identifier: MIT */
/* Programs in CUDA: the kernel as templates of its cell, and sums of cells whose weight is a
 * power of two. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/base/text.h"
#include "tools/stencil/stencil.h"

static void put_names(const struct qp_stencil *stencil, FILE *out)
{
    const struct qp_kernel_file *file = stencil->file;
    for (int k = 0; k < file->inputs; k++)
        fprintf(out, "#define %s_at(dx, dy) at_of<%d>(at, dx, dy)\n", file->array[k].name, k);
    for (int k = 0; file->states > 1 && k < file->states; k++)
        fprintf(out, "#define out%d (at->out[%d])\n", k, k);
}

static enum qp_status put_body(const struct qp_stencil *stencil, FILE *out)
{
    return qp_stencil_put_body(stencil, QP_BODY_CUDA, out);
}

static void put_result(const struct qp_stencil *stencil, FILE *out)
{
    fprintf(out, "%skernel(cell, here);\n", stencil->file->states > 1 ? "" : "cell->out[0] = ");
}

static void put_across(const struct qp_stencil *stencil, FILE *out)
{
    const int reach = stencil->reach > 0 ? stencil->reach : 1;
    for (int k = 0; k < stencil->file->inputs; k++)
        fprintf(out, "%#x,\n", stencil->across[k] >> (QP_STENCIL_REACH - reach));
}

/* The threads that the head's line `tuned` asks for, rounded up to a size that blocks may have. */
static int threads_of(const struct qp_stencil *stencil)
{
    const double wanted = qp_stencil_tuned(stencil, "cuda", "threads", 512.0);
    int threads = 32;
    while (threads < wanted && threads < 512)
        threads = threads < 256 ? 2 * threads : threads + 128;
    return threads;
}

static void put_threads(const struct qp_stencil *stencil, FILE *out)
{
    fprintf(out, "static int threads = %d;\n", threads_of(stencil));
}

void qp_stencil_put_blocks(const struct qp_stencil *s, FILE *out)
{
    const struct qp_kernel_tuned *unknowns = qp_kernel_file_tuned(s->file, "cuda", "unknowns"),
                                 *threads = qp_kernel_file_tuned(s->file, "cuda", "threads");
    const bool plain = qp_kernel_file_sync(s->file)->number == QP_SYNC_JACOBI;
    const int had = plain ? threads_of(s) : 64;
    if ((threads == NULL && unknowns == NULL) ||
        qp_word_number("cuda gpus hybrid", s->target, (int)strlen(s->target)) == 0)
        return;
    if ((threads != NULL && threads->value[0] != had) ||
        (unknowns != NULL && qp_stencil_rows(s) == 0))
        fprintf(out, "Blocks are not as they are asked for: they have %d threads and %s.\n", had,
                plain ? "16 bytes of each of 4 rows a thread"
                      : "64 x 4, 8, 16 or 32 unknowns, and half steps by colour have none");
    if (plain)
        fputs("Threads and unknowns are of blocks of single steps (--set steps_at_once=1); by "
              "default the program takes several in one go.\n",
              out);
}

/* ---- Weights ---- */

static bool take_number(const struct qp_token **at, double *value)
{
    const bool is = (*at)->kind == QP_TOKEN_NUMBER;
    *value = is ? strtod((*at)->at, NULL) : NAN;
    *at += is;
    return is;
}

/* A read such as x_at(-1.0, 0.0), of an array that is no state in the cell itself. */
static bool take_read(const struct qp_stencil *stencil, const struct qp_token **at, FILE *out)
{
    const struct qp_kernel_file *file = stencil->file;
    const struct qp_token *const name = *at;
    double offset[2];
    int array = 0;
    while (array < file->inputs && !qp_glsl_is_named(name, file->array[array].name, "_at"))
        array++;
    bool good = array < file->inputs && qp_token_is(++*at, "(");
    *at += good;
    for (int k = 0; k < 2 && good; k++) {
        const bool negative = qp_token_take(at, "-");
        good = take_number(at, &offset[k]) && qp_token_take(at, k == 0 ? "," : ")");
        offset[k] = good && negative ? -offset[k] : offset[k];
    }
    if (good)
        fprintf(out, "%.*s(%.1f, %.1f)", name->length, name->at, offset[0], offset[1]);
    return good && (array < file->states || (offset[0] == 0.0 && offset[1] == 0.0));
}

/* True for a kernel that is `return WEIGHT * (READ + READ ...);` with a weight of 1, 1/2, 1/4,
 * 1/8 or 1/16, which stays in range however often it is divided by. Writes the sum. */
static bool read_sum(const struct qp_stencil *stencil, double *weight, FILE *out)
{
    const struct qp_tokens *tokens = stencil->tokens;
    const struct qp_glsl_function *function = tokens->function;
    int power;
    if (function->name == 0 || function->begin < 0 ||
        !qp_token_is(&tokens->of[function->name], "kernel") || stencil->file->states > 1)
        return false;
    const struct qp_token *at = &tokens->of[function->begin + 1];
    bool good = qp_token_take(&at, "return") && take_number(&at, weight) &&
                qp_token_take(&at, "*") && qp_token_take(&at, "(") &&
                frexp(*weight, &power) == 0.5 && power >= -3 && power <= 1;
    good = good && take_read(stencil, &at, out);
    while (good && qp_token_take(&at, "+")) {
        fputs(" + ", out);
        good = take_read(stencil, &at, out);
    }
    return good && qp_token_take(&at, ")") && qp_token_take(&at, ";") &&
           at == &tokens->of[function->end];
}

static enum qp_status put_weight(const struct qp_stencil *stencil, FILE *out)
{
    char *sum = NULL;
    size_t size = 0;
    double weight = 0.0;
    FILE *text = open_memstream(&sum, &size);
    if (text == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for a sum of cells");
    const bool is_sum = read_sum(stencil, &weight, text);
    fclose(text);
    fprintf(out,
            "constexpr real WEIGHT = %.9g;\n"
            "template <class CELL> static __device__ __forceinline__ real sum(CELL *at)\n"
            "{\n    return %s;\n}\n",
            is_sum ? weight : 0.0, is_sum ? sum : "at->scale");
    free(sum);
    return QP_OK;
}

const struct qp_stencil_region qp_stencil_cuda_regions[] = {
    {"cuda names", put_names, NULL},
    {"cuda body", NULL, put_body},
    {"cuda result", put_result, NULL},
    {"cuda threads", put_threads, NULL},
    {"cuda blocks", qp_stencil_put_blocks, NULL},
    {"across", put_across, NULL},
    {"cuda weight", NULL, put_weight},
    {NULL, NULL, NULL}};
