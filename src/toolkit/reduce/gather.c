/* SPDX-License-Identifier: MIT */
/* Running sums, gathers by index arrays, and compaction by running sums and bisection, after
 * Horn. */
#include <stdio.h>

#include <quadpass/reduce.h>

#include "toolkit/arrays/array.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/kernel/kernel.h"

/* ---- Looks at arrays ---- */

/* Two arrays of a pass share a texture, so that it would read what it writes. */
static enum qp_status refuse_feedback(const struct qp_array *input, const char *name,
                                      const struct qp_array *out)
{
    if (!qp_array_shares(input, out))
        return QP_OK;
    return qp_fail(QP_BAD_USE,
                   "'out' shares its cells with '%s', which is read; give it an array "
                   "of its own",
                   name);
}

/* Errors, for arrays that are read: QP_BAD_USE for doubles, QP_UNSUPPORTED for a GL_TEXTURE_2D. */
static enum qp_status check_source(const struct qp_array *array, const char *name)
{
    if (array->desc.type == QP_ARRAY_DOUBLE)
        return qp_fail(QP_BAD_USE,
                       "'%s' holds doubles, which only reductions take; give it an array "
                       "of floats or integers",
                       name);
    if (array->storage->texture.target == GL_TEXTURE_RECTANGLE_ARB)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "'%s' is a GL_TEXTURE_2D, and kernels read rectangles; copy it to another "
                   "array first (qp_array_copy)",
                   name);
}

/* Errors: QP_BAD_USE where `out` has another type or other channels than x. */
static enum qp_status check_same_values(const struct qp_array *x, const struct qp_array *out)
{
    if (x->desc.type == out->desc.type && x->desc.channels == out->desc.channels)
        return QP_OK;
    return qp_fail(QP_BAD_USE, "'out' has another type or other channels than 'x'; describe it by "
                               "qp_array_describe of that");
}

/* Room for the line that says what a value of an array is in a shader: "#define VALUE vec4". */
enum { VALUE_LINE = 32 };

static void define_value(const struct qp_array_desc *desc, char line[VALUE_LINE])
{
    snprintf(line, VALUE_LINE, "#define VALUE %s\n", qp_kernel_type(desc->type, desc->channels));
}

/* ---- Running sums ---- */

/* Running sums, after Blelloch: up a tree of sums of four, first along rows and then along the
 * column of their sums, and down again with the sum of all that precedes each cell. */
enum { FAN = 4, LEVELS = 32 }; /* 4^15 cells each way */

/* The arrays of one call. Level 0 is the caller's, the last one has one cell. */
struct tree {
    struct qp_context *context;
    struct qp_kernel *first, *up, *down, *last; /* `first` and `last` are of the caller's arrays */
    const struct qp_array *x;
    struct qp_array *sums[LEVELS], *before[LEVELS];
    int top;
};

/* Sums of halves are floats between passes. */
static enum qp_array_type type_of_sums(const struct qp_array_desc *desc)
{
    return desc->type == QP_ARRAY_HALF ? QP_ARRAY_FLOAT : desc->type;
}

static enum qp_status make_kernel(const struct tree *tree, bool down, enum qp_array_type from,
                                  enum qp_array_type to, struct qp_kernel **out)
{
    const struct qp_array_desc *x = &tree->x->desc;
    struct qp_kernel_desc kernel = {.input = {{"cells", from, x->channels, 0}},
                                    .number = {{"along", QP_NUMBER_VEC2, 0}},
                                    .output_type = to,
                                    .output_channels = x->channels};
    char line[VALUE_LINE];
    if (down) {
        kernel.input[1] = (struct qp_kernel_input){"before", type_of_sums(x), x->channels, 0};
        kernel.number[1] = (struct qp_kernel_number){"with_own", QP_NUMBER_FLOAT, 0};
    }
    define_value(x, line);
    return qp_kernel_built_in(tree->context,
                              down ? "toolkit/scan_down.frag" : "toolkit/scan_up.frag", NULL, line,
                              &kernel, out);
}

static enum qp_status make_kernels(struct tree *tree)
{
    const enum qp_array_type type = tree->x->desc.type, sums = type_of_sums(&tree->x->desc);
    enum qp_status status = make_kernel(tree, false, type, sums, &tree->first);
    if (status == QP_OK)
        status = make_kernel(tree, false, sums, sums, &tree->up);
    if (status == QP_OK)
        status = make_kernel(tree, true, sums, sums, &tree->down);
    if (status == QP_OK)
        status = make_kernel(tree, true, type, type, &tree->last);
    return status;
}

static const struct qp_array *level_of(const struct tree *tree, int level)
{
    return level == 0 ? tree->x : tree->sums[level];
}

/* Along rows until a column is left, then along that. */
static struct qp_pass_number along(const struct qp_array *level)
{
    const bool rows = level->desc.width > 1;
    return (struct qp_pass_number){.name = "along", .value = {rows, !rows}};
}

static enum qp_status climb(struct tree *tree)
{
    struct qp_array_desc sums = tree->x->desc;
    enum qp_status status = QP_OK;
    sums.type = type_of_sums(&sums);
    sums.outside = QP_OUTSIDE_ZERO;
    while (status == QP_OK && (sums.width > 1 || sums.height > 1)) {
        const struct qp_array *from = level_of(tree, tree->top);
        if (sums.width > 1)
            sums.width = qp_groups_in(sums.width, FAN);
        else
            sums.height = qp_groups_in(sums.height, FAN);
        status = qp_array_create(tree->context, &sums, NULL, &tree->sums[tree->top + 1]);
        if (status != QP_OK)
            break;
        const struct qp_pass pass = {.kernel = tree->top == 0 ? tree->first : tree->up,
                                     .input = {{"cells", from}},
                                     .number = {along(from)},
                                     .output = {tree->sums[++tree->top]}};
        status = qp_pass_run(&pass);
    }
    return status;
}

/* Goes down the tree; the sum before the first of all cells, above the top, is zero. */
static enum qp_status descend(struct tree *tree, enum qp_scan how, struct qp_array *out)
{
    struct qp_array_desc desc = {
        .width = 1, .height = 1, .channels = out->desc.channels, .type = type_of_sums(&out->desc)};
    enum qp_status status =
        qp_array_create(tree->context, &desc, NULL, &tree->before[tree->top + 1]);
    for (int k = tree->top; k >= 0 && status == QP_OK; k--) {
        const struct qp_array *cells = level_of(tree, k);
        desc.width = cells->desc.width;
        desc.height = cells->desc.height;
        if (k > 0)
            status = qp_array_create(tree->context, &desc, NULL, &tree->before[k]);
        if (status != QP_OK)
            break;
        const double own = k == 0 && how == QP_SCAN_INCLUSIVE;
        const struct qp_pass pass = {.kernel = k > 0 ? tree->down : tree->last,
                                     .input = {{"cells", cells}, {"before", tree->before[k + 1]}},
                                     .number = {along(cells), {.name = "with_own", .value = {own}}},
                                     .output = {k > 0 ? tree->before[k] : out}};
        status = qp_pass_run(&pass);
    }
    return status;
}

static void destroy_tree(struct tree *tree)
{
    for (int k = 0; k < LEVELS; k++) {
        qp_array_destroy(&tree->sums[k]);
        qp_array_destroy(&tree->before[k]);
    }
    qp_kernel_destroy(&tree->first);
    qp_kernel_destroy(&tree->up);
    qp_kernel_destroy(&tree->down);
    qp_kernel_destroy(&tree->last);
}

/* Scans arrays that fit each other. */
static enum qp_status scan(const struct qp_array *x, enum qp_scan how, struct qp_array *out)
{
    struct tree tree = {.context = x->storage->context, .x = x};
    enum qp_status status = make_kernels(&tree);
    if (status == QP_OK)
        status = climb(&tree);
    if (status == QP_OK)
        status = descend(&tree, how, out);
    destroy_tree(&tree);
    return status;
}

static enum qp_status check_scan(const struct qp_array *x, enum qp_scan how,
                                 const struct qp_array *out)
{
    enum qp_status status = qp_array_check(out, x->storage->context, "out");
    if (status != QP_OK)
        return status;
    if (how != QP_SCAN_INCLUSIVE && how != QP_SCAN_EXCLUSIVE)
        return qp_fail(QP_BAD_USE, "a scan's 'how' is %d, which is none; see enum qp_scan",
                       (int)how);
    if (x->desc.width != out->desc.width || x->desc.height != out->desc.height)
        return qp_fail(QP_BAD_USE, "'out' has %d x %d cells, and 'x' has %d x %d", out->desc.width,
                       out->desc.height, x->desc.width, x->desc.height);
    if ((status = check_same_values(x, out)) == QP_OK)
        status = check_source(x, "x");
    return status == QP_OK ? refuse_feedback(x, "x", out) : status;
}

enum qp_status qp_scan(const struct qp_array *x, enum qp_scan how, struct qp_array *out)
{
    struct qp_call call;
    enum qp_status status = qp_array_begin(&call, x, "x");
    if (status == QP_OK)
        status = check_scan(x, how, out);
    if (status == QP_OK)
        status = scan(x, how, out);
    return qp_call_end(&call, status);
}

/* ---- Checks and passes of gathers and compactions: x and `by` are read, `out` is written ---- */

static enum qp_status check_read(const struct qp_array *x, const struct qp_array *by,
                                 const char *name, const struct qp_array *out)
{
    enum qp_status status = qp_array_check(by, x->storage->context, name);
    if (status == QP_OK)
        status = qp_array_check(out, x->storage->context, "out");
    if (status == QP_OK)
        status = check_source(x, "x");
    return status == QP_OK ? check_source(by, name) : status;
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
    enum qp_status status = check_same_values(x, out);
    if (status == QP_OK)
        status = refuse_feedback(x, "x", out);
    return status == QP_OK ? refuse_feedback(by, name, out) : status;
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
    char line[VALUE_LINE], lines[VALUE_LINE + 64];
    define_value(&x->desc, line);
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
    char line[VALUE_LINE];
    define_value(&x->desc, line);
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
        status = scan(flags, QP_SCAN_INCLUSIVE, kept);
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
