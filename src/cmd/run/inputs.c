/* SPDX-License-Identifier: MIT */
#include "cmd/run/inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "base/values.h"
#include "cmd/options_run.h"
#include "cmd/output/grid.h"
#include "cmd/output/sentence.h"

enum { DEFAULT_SIZE = 256 };

/* The size of arrays that are made. */
struct size {
    int width, height;
};

/* ---- Files ---- */

static bool is_made(const char *value)
{
    return options_made(value) >= 0;
}

/* A mistyped kind looks like a file whose name has no ending. */
static enum qp_status check_name(const char *pair)
{
    static const char *const kinds[] = {"zeros", "ones", "random", "gradient", "impulse"};
    const char *value = options_value_of(pair);
    if (is_made(value) || grid_check_name(value, true) == QP_OK)
        return QP_OK;
    return qp_fail(QP_BAD_USE,
                   "--input %s: takes a .mtx, .npy or .png file, or zeros, ones, random, gradient "
                   "or impulse%s",
                   pair, sentence_hint(value, kinds, MADE_KINDS));
}

/* The values of a matrix as floats. Infinity is a value of arrays; a number must not become one. */
static enum qp_status take_values(const char *path, const struct qp_matrix *matrix,
                                  struct run_input *out)
{
    const size_t width = (size_t)matrix->width, count = width * (size_t)matrix->height;
    out->values = qp_alloc_floats(count, "an input");
    for (size_t i = 0; out->values != NULL && i < count; i++) {
        const double value = qp_matrix_value(matrix, i);
        out->values[i] = (float)value;
        if (isfinite(value) && !isfinite(out->values[i]))
            return qp_fail(QP_BAD_INPUT,
                           "%s: cell (%zu, %zu) is %g, which is beyond float (scale the values)",
                           path, i % width / (size_t)out->channels, i / width, value);
    }
    return out->values != NULL ? QP_OK : QP_NO_MEMORY;
}

static enum qp_status read_file(const char *path, struct run_input *out)
{
    struct qp_matrix matrix;
    enum qp_status status = grid_read(path, &matrix, &out->channels);
    if (status != QP_OK)
        return status;
    out->width = matrix.width / out->channels;
    out->height = matrix.height;
    status = take_values(path, &matrix, out);
    qp_matrix_destroy(&matrix);
    return status;
}

/* ---- Arrays that are made ---- */

static double made_value(enum made kind, const struct run_input *input, int x, int y,
                         uint64_t *state)
{
    switch (kind) {
    case MADE_ONES:
        return 1.0;
    case MADE_RANDOM:
        return qp_random(state, 0.0, 1.0);
    case MADE_GRADIENT:
        return input->width > 1 ? (double)x / (input->width - 1) : 0.0;
    case MADE_IMPULSE:
        return x == input->width / 2 && y == input->height / 2;
    default:
        return 0.0;
    }
}

/* Arrays of one seed differ from each other. A random value stays below 1 when it is rounded to float. */
static enum qp_status make(enum made kind, struct size size, uint64_t seed, struct run_input *out)
{
    uint64_t state = seed;
    out->width = size.width;
    out->height = size.height;
    const double need = (double)size.width * size.height * out->channels * sizeof *out->values;
    if (4.0 * need > qp_memory_there())
        return qp_fail(QP_NO_MEMORY,
                       "%d x %d cells of %s take %.1f GiB on the host and the device, and %.1f are "
                       "there; take a smaller --size",
                       size.width, size.height, out->name, 4.0 * need / 0x1p30,
                       qp_memory_there() / 0x1p30);
    out->values = qp_alloc_floats(run_input_count(out), "an input");
    for (size_t i = 0; out->values != NULL && i < run_input_count(out); i++) {
        const size_t cell = i / (size_t)out->channels;
        const double value = made_value(kind, out, (int)(cell % (size_t)size.width),
                                        (int)(cell / (size_t)size.width), &state);
        out->values[i] = (float)value < 1.0f || value == 1.0 ? (float)value : 1.0f - 0x1p-24f;
    }
    return out->values != NULL ? QP_OK : QP_NO_MEMORY;
}

/* ---- All of them ---- */

static bool is_x(const char *pair)
{
    return strncmp(pair, "x=", 2) == 0;
}

/* Lists the names, x first; `from` receives what each is made of, NULL for the usual. */
static void list_names(const struct options *options, struct run_inputs *out, const char *from[])
{
    int count = 1;
    strcpy(out->at[0].name, "x");
    from[0] = NULL;
    for (int k = 0; k < options->inputs; k++) {
        const char *pair = options->input[k];
        const int at = is_x(pair) ? 0 : count++;
        snprintf(out->at[at].name, sizeof out->at[at].name, "%.*s", (int)strcspn(pair, "="), pair);
        from[at] = options_value_of(pair);
    }
    out->count = count;
}

/* That of --size, or else of x's file, of the first other file, the usual. */
static struct size choose_size(const struct options *options, const struct run_inputs *inputs)
{
    if (options->width > 0)
        return (struct size){options->width, options->height};
    for (int k = 0; k < inputs->count; k++) {
        if (inputs->at[k].values != NULL)
            return (struct size){inputs->at[k].width, inputs->at[k].height};
    }
    return (struct size){DEFAULT_SIZE, DEFAULT_SIZE};
}

static enum qp_status check_state(const struct run_input *x, struct size size, int channels,
                                  const char *file)
{
    if (x->width != size.width || x->height != size.height)
        return qp_fail(QP_BAD_USE,
                       "%s has %d x %d cells, and --size says %d x %d; leave --size out", file,
                       x->width, x->height, size.width, size.height);
    if (channels > 0 && x->channels != channels)
        return qp_fail(QP_BAD_USE,
                       "%s has %d value%s a cell, and the kernel writes %d; x, which it writes, "
                       "must have as many",
                       file, x->channels, x->channels > 1 ? "s" : "", channels);
    return QP_OK;
}

/* As many as a texture has at most on most devices: two of a gigabyte on the device, and two on the host. */
static enum qp_status check_room(const struct run_input *input)
{
    enum { MOST_VALUES = 1 << 28 };
    if ((double)input->width * input->height * input->channels <= MOST_VALUES)
        return QP_OK;
    return qp_fail(
        QP_UNSUPPORTED, "%s: %d x %d cells of %d value%s are more than the 2^28 values of a run",
        input->name, input->width, input->height, input->channels, input->channels > 1 ? "s" : "");
}

static enum qp_status read_files(struct run_inputs *out, const char *const from[])
{
    enum qp_status status = QP_OK;
    for (int k = 0; k < out->count && status == QP_OK; k++) {
        if (from[k] != NULL && !is_made(from[k]))
            status = read_file(from[k], &out->at[k]);
    }
    return status;
}

static enum qp_status make_others(const struct options *options, struct size size, int channels,
                                  const char *const from[], struct run_inputs *out)
{
    enum qp_status status = QP_OK;
    for (int k = 0; k < out->count && status == QP_OK; k++) {
        struct run_input *input = &out->at[k];
        const bool there = input->values != NULL;
        if (!there) {
            input->width = size.width;
            input->height = size.height;
            input->channels = k == 0 && channels > 0 ? channels : 1;
        }
        status = check_room(input);
        if (status == QP_OK && !there)
            status = make(from[k] != NULL ? (enum made)options_made(from[k]) : MADE_RANDOM, size,
                          options->seed + (uint64_t)k, input);
    }
    return status;
}

enum qp_status run_inputs_make(const struct options *options, int channels, struct run_inputs *out)
{
    const char *from[QP_KERNEL_INPUTS];
    *out = (struct run_inputs){0};
    enum qp_status status = QP_OK;
    for (int k = 0; k < options->inputs && status == QP_OK; k++)
        status = check_name(options->input[k]);
    if (status != QP_OK)
        return status;
    bool has_x = false;
    for (int k = 0; k < options->inputs; k++)
        has_x = has_x || is_x(options->input[k]);
    if (!has_x && options->inputs == QP_KERNEL_INPUTS)
        return qp_fail(QP_BAD_USE, "a shader reads at most %d arrays, x among them",
                       QP_KERNEL_INPUTS);
    list_names(options, out, from);
    status = read_files(out, from);
    const struct size size = choose_size(options, out);
    if (status == QP_OK && out->at[0].values != NULL)
        status = check_state(&out->at[0], size, channels, from[0]);
    if (status == QP_OK)
        status = make_others(options, size, channels, from, out);
    if (status != QP_OK)
        run_inputs_destroy(out);
    return status;
}

void run_inputs_destroy(struct run_inputs *inputs)
{
    for (int k = 0; k < inputs->count; k++)
        free(inputs->at[k].values);
    *inputs = (struct run_inputs){0};
}
