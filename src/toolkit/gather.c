/* SPDX-License-Identifier: MIT */
/* Gathers by index arrays, and compaction by running sums and bisection, after Horn. */
#include <stdio.h>

#include "toolkit/scan.h"

/* ---- Checks and passes of both: x and `by` are read, `out` is written ---- */

static enum qp_status check_read(const struct qp_array *x, const struct qp_array *by,
                                 const char *name, const struct qp_array *out)
{
    enum qp_status status = qp_array_check(by, x->storage->context, name);
    if (status == QP_OK)
        status = qp_array_check(out, x->storage->context, "out");
    if (status == QP_OK)
        status = qp_check_source(x, "x");
    return status == QP_OK ? qp_check_source(by, name) : status;
}

static enum qp_status check_sizes(const struct qp_array *of, const char *of_name,
                                  const struct qp_array *array, const char *name)
{
    if (of->desc.width == array->desc.width && of->desc.height == array->desc.height)
        return QP_OK;
    return qp_fail(QP_BAD_USE, "'%s' has %d x %d cells, and '%s' has %d x %d", name,
                   array->desc.width, array->desc.height, of_name, of->desc.width, of->desc.height);
}

static enum qp_status check_written(const struct qp_array *x, const struct qp_array *by,
                                    const char *name, const struct qp_array *out)
{
    enum qp_status status = qp_check_same_values(x, out);
    if (status == QP_OK)
        status = qp_refuse_feedback(x, "x", out);
    return status == QP_OK ? qp_refuse_feedback(by, name, out) : status;
}

/* Makes a built-in kernel, and runs the pass with it. */
static enum qp_status run(const char *shader, const char *lines, const struct qp_kernel_desc *desc,
                          struct qp_pass pass)
{
    struct qp_kernel *kernel;
    enum qp_status status = qp_kernel_built_in(pass.input[0].array->storage->context, shader, NULL,
                                               lines, desc, &kernel);
    pass.kernel = kernel;
    if (status == QP_OK)
        status = qp_pass_run(&pass);
    qp_kernel_destroy(&kernel);
    return status;
}

/* ---- Gathers ---- */

static enum qp_status check_gather(const struct qp_array *x, const struct qp_array *index,
                                   const struct qp_array *out)
{
    enum qp_status status = check_read(x, index, "index", out);
    if (status == QP_OK && index->desc.channels > 2)
        return qp_fail(QP_BAD_USE, "'index' has 4 channels; a cell's number has 1, its column and "
                                   "row have 2");
    if (status == QP_OK)
        status = check_sizes(index, "index", out, "out");
    return status == QP_OK ? check_written(x, index, "index", out) : status;
}

static enum qp_status gather(const struct qp_array *x, const struct qp_array *index,
                             struct qp_array *out)
{
    const struct qp_array_desc *of = &index->desc;
    const struct qp_kernel_desc desc = {
        .input = {{"x", x->desc.type, x->desc.channels, 0}, {"index", of->type, of->channels, 0}},
        .output_type = out->desc.type,
        .output_channels = out->desc.channels};
    char line[QP_VALUE_LINE], lines[QP_VALUE_LINE + 64];
    qp_define_value(&x->desc, line);
    snprintf(lines, sizeof lines, "%s%s%s%s", line, of->channels == 2 ? "#define PAIRS\n" : "",
             of->type == QP_ARRAY_INT    ? "#define INDEX int\n"
             : of->type == QP_ARRAY_UINT ? "#define INDEX uint\n"
                                         : "",
             x->desc.outside == QP_OUTSIDE_WRAP ? "#define WRAP\n" : "");
    return run("toolkit/gather.frag", lines, &desc,
               (struct qp_pass){.input = {{"x", x}, {"index", index}}, .output = {out}});
}

enum qp_status qp_gather(const struct qp_array *x, const struct qp_array *index,
                         struct qp_array *out)
{
    struct qp_call call;
    enum qp_status status = qp_array_begin(&call, x, "x");
    if (status == QP_OK)
        status = check_gather(x, index, out);
    if (status == QP_OK)
        status = gather(x, index, out);
    return qp_call_end(&call, status);
}

/* ---- Compaction ---- */

static enum qp_status check_compact(const struct qp_array *x, const struct qp_array *mask,
                                    const struct qp_array *out)
{
    enum qp_status status = check_read(x, mask, "mask", out);
    if (status == QP_OK && mask->desc.channels > 1)
        return qp_fail(QP_BAD_USE, "'mask' has %d channels; it needs 1", mask->desc.channels);
    if (status == QP_OK)
        status = check_sizes(x, "x", mask, "mask");
    return status == QP_OK ? check_written(x, mask, "mask", out) : status;
}

/* 1 where the mask is not 0. */
static enum qp_status flag(const struct qp_array *mask, struct qp_array *flags)
{
    char line[32];
    const struct qp_kernel_desc desc = {.input = {{"mask", mask->desc.type, 1, 0}},
                                        .output_type = QP_ARRAY_UINT};
    snprintf(line, sizeof line, "#define MASK %s\n", qp_kernel_type(mask->desc.type, 1));
    return run("toolkit/flag.frag", line, &desc,
               (struct qp_pass){.input = {{"mask", mask}}, .output = {flags}});
}

/* Each cell looks for its own. */
static enum qp_status pick(const struct qp_array *x, const struct qp_array *kept,
                           struct qp_array *out)
{
    const struct qp_kernel_desc desc = {
        .input = {{"x", x->desc.type, x->desc.channels, 0}, {"kept", QP_ARRAY_UINT, 1, 0}},
        .output_type = out->desc.type,
        .output_channels = out->desc.channels};
    char line[QP_VALUE_LINE];
    qp_define_value(&x->desc, line);
    return run("toolkit/compact.frag", line, &desc,
               (struct qp_pass){.input = {{"x", x}, {"kept", kept}}, .output = {out}});
}

/* The last running sum counts all. */
static enum qp_status read_count(const struct qp_array *kept, size_t *count)
{
    const struct qp_rect last = {kept->desc.width - 1, kept->desc.height - 1, 1, 1};
    uint32_t sum;
    enum qp_status status = qp_array_read(kept, &last, &sum, 0);
    if (status == QP_OK)
        *count = sum;
    return status;
}

static enum qp_status compact(const struct qp_array *x, const struct qp_array *mask,
                              struct qp_array *out, size_t *count)
{
    const struct qp_array_desc desc = {
        .width = x->desc.width, .height = x->desc.height, .type = QP_ARRAY_UINT};
    struct qp_array *flags, *kept = NULL;
    enum qp_status status = qp_array_create(x->storage->context, &desc, NULL, &flags);
    if (status == QP_OK)
        status = qp_array_create(x->storage->context, &desc, NULL, &kept);
    if (status == QP_OK)
        status = flag(mask, flags);
    if (status == QP_OK)
        status = qp_scan_run(flags, QP_SCAN_INCLUSIVE, kept);
    if (status == QP_OK)
        status = pick(x, kept, out);
    if (status == QP_OK && count != NULL)
        status = read_count(kept, count);
    qp_array_destroy(&flags);
    qp_array_destroy(&kept);
    return status;
}

enum qp_status qp_compact(const struct qp_array *x, const struct qp_array *mask,
                          struct qp_array *out, size_t *count)
{
    struct qp_call call;
    if (count != NULL)
        *count = 0;
    enum qp_status status = qp_array_begin(&call, x, "x");
    if (status == QP_OK)
        status = check_compact(x, mask, out);
    if (status == QP_OK)
        status = compact(x, mask, out, count);
    return qp_call_end(&call, status);
}
