/* SPDX-License-Identifier: MIT */
#include "walk/pass_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "base/whole.h"

/* Texels around the cells. Around inputs they hold what must not be read, NaN where there is one; around outputs a number,
 * in place of which NaN would be seen too, and which every type holds. */
enum { GUARD = 3, GUARD_INTEGER = 0x5a5a5a5a, GUARD_OF_OUTPUTS = 1234 };

/* What must not be read. */
static double guard_of(enum qp_array_type type)
{
    return qp_array_is_whole(type) ? (double)GUARD_INTEGER : (double)NAN;
}

/* ---- Values as doubles ---- */

/* A value of the host's memory, of this type. */
static double value_at(const void *values, enum qp_array_type type, size_t i)
{
    switch (type) {
    case QP_ARRAY_INT:
        return ((const int32_t *)values)[i];
    case QP_ARRAY_UINT:
        return ((const uint32_t *)values)[i];
    case QP_ARRAY_DOUBLE:
        return ((const double *)values)[i];
    default:
        return (double)((const float *)values)[i];
    }
}

static void set_value(void *values, enum qp_array_type type, size_t i, double value)
{
    if (type == QP_ARRAY_INT)
        ((int32_t *)values)[i] = (int32_t)value;
    else if (type == QP_ARRAY_UINT)
        ((uint32_t *)values)[i] = (uint32_t)value;
    else if (type == QP_ARRAY_DOUBLE)
        ((double *)values)[i] = value;
    else
        ((float *)values)[i] = (float)value;
}

/* Reads an array's cells as doubles, into place of count of them. */
static enum qp_status read_values(const struct qp_array *array, double *values)
{
    const struct qp_array_desc desc = qp_array_describe(array);
    const size_t count = qp_case_count(&desc);
    void *memory = qp_alloc(count, sizeof(double), "the values of an array");
    if (memory == NULL)
        return QP_NO_MEMORY;
    const enum qp_status status = qp_array_read(array, NULL, memory, 0);
    for (size_t i = 0; i < count && status == QP_OK; i++)
        values[i] = value_at(memory, desc.type, i);
    free(memory);
    return status;
}

static enum qp_status write_values(struct qp_array *array, const double *values)
{
    const struct qp_array_desc desc = qp_array_describe(array);
    const size_t count = qp_case_count(&desc);
    void *memory = qp_alloc(count, sizeof(double), "the values of an array");
    if (memory == NULL)
        return QP_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        set_value(memory, desc.type, i, values[i]);
    const enum qp_status status = qp_array_write(array, NULL, memory, 0);
    free(memory);
    return status;
}

/* ---- Arrays ---- */

/* Cells along an axis of an input: as many as the outputs have, a multiple or a part of them, as in the pass itself. */
static int follow(int own, int outputs, int size)
{
    if (own >= outputs)
        return own % outputs == 0 ? own / outputs * size : own;
    return outputs % own == 0 && own > 1 ? qp_groups_in(size, outputs / own) : own;
}

static bool is_table(const struct qp_pass_trial *trial, int i)
{
    const struct qp_kernel *kernel = trial->prepared.kernel;
    for (int k = 0; k < QP_KERNEL_INPUTS && trial->desc->table[k] != NULL; k++) {
        if (strcmp(trial->desc->table[k], kernel->desc.input[i].name) == 0)
            return true;
    }
    return false;
}

static enum qp_status make_array(struct qp_context *context, const struct qp_array_desc *desc,
                                 bool guarded, double guard, struct qp_case_array *out)
{
    const struct qp_rect cells = {GUARD, GUARD, desc->width, desc->height};
    struct qp_array_desc whole = *desc;
    out->desc = *desc;
    out->guard = guard;
    if (guarded) {
        whole.width += 2 * GUARD;
        whole.height += 2 * GUARD;
    }
    enum qp_status status = qp_array_create(context, &whole, NULL, &out->whole);
    if (status == QP_OK && guarded)
        status = qp_array_fill(out->whole, NULL, guard);
    if (status == QP_OK && guarded)
        status = qp_array_view(out->whole, &cells, &out->cells);
    if (status != QP_OK)
        return status;
    if (!guarded)
        out->cells = out->whole;
    out->values = qp_alloc(qp_case_count(desc), sizeof *out->values, "the values of an array");
    return out->values != NULL ? QP_OK : QP_NO_MEMORY;
}

static void fill_randomly(const struct qp_pass_check_desc *desc, uint64_t *state,
                          struct qp_case_array *out)
{
    const bool usual = desc->low == 0.0 && desc->high == 0.0,
               whole = qp_array_is_whole(out->desc.type);
    const double low = !usual ? desc->low : whole ? 0.0 : -1.0;
    const double high = !usual ? desc->high : whole ? 10.0 : 1.0;
    for (size_t i = 0; i < qp_case_count(&out->desc); i++) {
        const double value = qp_random(state, low, high);
        out->values[i] = whole ? floor(value) : value;
    }
}

/* Random values, and then what the device makes of them; of a table those of the pass. */
static enum qp_status make_input(const struct qp_pass_case *of, int i, uint64_t *state,
                                 struct qp_case_array *out)
{
    const struct qp_pass_trial *trial = of->trial;
    const struct qp_array *own = trial->prepared.input[i], *output = trial->prepared.output[0];
    struct qp_array_desc desc = own->desc;
    const bool table = is_table(trial, i);
    if (!table) {
        desc.width = follow(desc.width, output->desc.width, of->width);
        desc.height = follow(desc.height, output->desc.height, of->height);
    }
    enum qp_status status =
        make_array(trial->prepared.kernel->context, &desc, of->guarded, guard_of(desc.type), out);
    if (status == QP_OK && table)
        status = read_values(own, out->values);
    if (status != QP_OK)
        return status;
    if (!table)
        fill_randomly(trial->desc, state, out);
    status = write_values(out->cells, out->values);
    return status == QP_OK ? read_values(out->cells, out->values) : status;
}

/* An output that is an input begins with its values; others with guards, or, where these would stay or count, with
 * random values. */
static enum qp_status make_output(const struct qp_pass_case *of, int k, uint64_t *state,
                                  struct qp_case_array *out)
{
    const struct qp_pass_trial *trial = of->trial;
    const struct qp_case_array *input = trial->same[k] >= 0 ? &of->input[trial->same[k]] : NULL;
    struct qp_array_desc desc = input != NULL ? input->desc : trial->prepared.output[k]->desc;
    desc.width = of->width;
    desc.height = of->height;
    enum qp_status status = make_array(trial->prepared.kernel->context, &desc, of->guarded,
                                       input != NULL ? guard_of(desc.type) : GUARD_OF_OUTPUTS, out);
    for (size_t i = 0; status == QP_OK && i < qp_case_count(&desc); i++)
        out->values[i] = input != NULL ? input->values[i] : guard_of(desc.type);
    if (status == QP_OK && input == NULL && !trial->writes_all)
        fill_randomly(trial->desc, state, out);
    if (status == QP_OK)
        status = write_values(out->cells, out->values);
    return status == QP_OK && !trial->writes_all ? read_values(out->cells, out->values) : status;
}

/* ---- The reference ---- */

static void add_largest(const double *values, const struct qp_array_desc *desc, double *magnitude)
{
    for (size_t i = 0; values != NULL && i < qp_case_count(desc); i++)
        *magnitude = fmax(*magnitude, fabs(values[i]));
}

static double largest_of_all(const struct qp_pass_case *of)
{
    double magnitude = 0.0;
    for (int i = 0; i < QP_KERNEL_INPUTS; i++)
        add_largest(of->input[i].values, &of->input[i].desc, &magnitude);
    for (int k = 0; k < QP_KERNEL_OUTPUTS; k++)
        add_largest(of->expected[k], &of->output[k].desc, &magnitude);
    return magnitude;
}

static void ask_reference(struct qp_pass_case *of)
{
    const struct qp_pass_trial *trial = of->trial;
    const struct qp_kernel *kernel = trial->prepared.kernel;
    struct qp_pass_grid pass = {.width = of->width,
                                .height = of->height,
                                .channels = kernel->channels,
                                .user = trial->desc->user};
    for (int i = 0; i < kernel->inputs; i++) {
        const struct qp_case_array *input = &of->input[i];
        pass.input[i] =
            (struct qp_pass_array){input->desc.width,   input->desc.height, input->desc.channels,
                                   input->desc.outside, input->desc.value,  input->values};
    }
    memcpy(pass.number, trial->prepared.number, sizeof pass.number);
    const double scale = trial->desc->reference(&pass, of->expected);
    of->scale = scale > 0.0 && isfinite(scale) ? scale : largest_of_all(of);
    if (!(of->scale > 0.0))
        of->scale = 1.0;
}

static enum qp_status make_answers(struct qp_pass_case *of)
{
    for (int k = 0; k < of->trial->prepared.kernel->outputs; k++) {
        const size_t count = qp_case_count(&of->output[k].desc);
        of->expected[k] = qp_alloc(count, sizeof(double), "the answer of a reference");
        of->got[k] = qp_alloc(count, sizeof(double), "the answer of a pass");
        if (of->expected[k] == NULL || of->got[k] == NULL)
            return QP_NO_MEMORY;
        for (size_t i = 0; i < count; i++)
            of->expected[k][i] = of->trial->writes_all ? (double)NAN : of->output[k].values[i];
    }
    of->scale = 1.0;
    if (of->trial->desc->reference != NULL)
        ask_reference(of);
    return QP_OK;
}

/* ---- Cases ---- */

/* Arrays of both layouts hold the same values. */
enum qp_status qp_pass_case_make(const struct qp_pass_trial *trial, int width, int height,
                                 bool guarded, struct qp_pass_case *out)
{
    const struct qp_kernel *kernel = trial->prepared.kernel;
    uint64_t state = trial->desc->seed;
    enum qp_status status = QP_OK;
    *out =
        (struct qp_pass_case){.trial = trial, .width = width, .height = height, .guarded = guarded};
    for (int i = 0; i < kernel->inputs && status == QP_OK; i++) {
        if (trial->prepared.input[i] != NULL)
            status = make_input(out, i, &state, &out->input[i]);
    }
    for (int k = 0; k < kernel->outputs && status == QP_OK; k++)
        status = make_output(out, k, &state, &out->output[k]);
    if (status == QP_OK)
        status = make_answers(out);
    if (status != QP_OK)
        qp_pass_case_destroy(out);
    return status;
}

static void destroy_array(struct qp_case_array *array)
{
    if (array->cells != array->whole)
        qp_array_destroy(&array->cells);
    qp_array_destroy(&array->whole);
    free(array->values);
}

void qp_pass_case_destroy(struct qp_pass_case *of)
{
    for (int i = 0; i < QP_KERNEL_INPUTS; i++)
        destroy_array(&of->input[i]);
    for (int k = 0; k < QP_KERNEL_OUTPUTS; k++) {
        destroy_array(&of->output[k]);
        free(of->expected[k]);
        free(of->got[k]);
    }
    *of = (struct qp_pass_case){0};
}

/* ---- Runs ---- */

/* The array of an input, which may be an output's. */
static const struct qp_array *cells_of(const struct qp_pass_case *of, int i)
{
    for (int k = 0; k < of->trial->prepared.kernel->outputs; k++) {
        if (of->trial->same[k] == i)
            return of->output[k].cells;
    }
    return of->input[i].cells;
}

static enum qp_status run_pass(const struct qp_pass_case *of, const struct qp_kernel *kernel)
{
    const struct qp_prepared *prepared = &of->trial->prepared;
    struct qp_pass pass = *of->trial->pass;
    int given = 0;
    memset(pass.input, 0, sizeof pass.input);
    pass.kernel = kernel;
    for (int i = 0; i < prepared->kernel->inputs; i++) {
        if (prepared->input[i] != NULL)
            pass.input[given++] =
                (struct qp_pass_input){prepared->kernel->desc.input[i].name, cells_of(of, i)};
    }
    for (int k = 0; k < prepared->kernel->outputs; k++)
        pass.output[k] = of->output[k].cells;
    return qp_pass_run(&pass);
}

/* Looks for a texel beside the cells that is not what it was. */
static enum qp_status check_guards(const struct qp_pass_case *of, int k, char *reason, size_t size)
{
    const struct qp_case_array *output = &of->output[k];
    const int width = output->desc.width + 2 * GUARD, height = output->desc.height + 2 * GUARD,
              channels = output->desc.channels;
    const double guard = output->guard;
    double *values = qp_alloc((size_t)width * (size_t)height * (size_t)channels, sizeof *values,
                              "the guards of an array");
    if (values == NULL)
        return QP_NO_MEMORY;
    const enum qp_status status = read_values(output->whole, values);
    for (int i = 0; i < width * height * channels && status == QP_OK && reason[0] == '\0'; i++) {
        const int x = i / channels % width - GUARD, y = i / channels / width - GUARD;
        const bool beside = x < 0 || y < 0 || x >= output->desc.width || y >= output->desc.height;
        if (beside && !(values[i] == guard || (isnan(values[i]) && isnan(guard))))
            snprintf(reason, size,
                     "writes %.9g to texel (%d, %d) beside the %d x %d cells of output %d",
                     values[i], x, y, output->desc.width, output->desc.height, k);
    }
    free(values);
    return status;
}

enum qp_status qp_pass_case_run(struct qp_pass_case *of, const struct qp_kernel *kernel,
                                char *reason, size_t size)
{
    enum qp_status status = run_pass(of, kernel);
    reason[0] = '\0';
    for (int k = 0; k < kernel->outputs && status == QP_OK; k++) {
        status = read_values(of->output[k].cells, of->got[k]);
        if (status == QP_OK && of->guarded)
            status = check_guards(of, k, reason, size);
    }
    return status;
}
