/* SPDX-License-Identifier: MIT */
#include "ops/custom/custom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <quadpass/context.h>

#include "base/caller.h"
#include "cuda/device.h"
#include "gl/shaders.h"

enum { DEVICE_LINE = 64 /* floats in 256 bytes, which the widest transaction reads */ };

static bool sweeps(const struct qp_custom_variant *desc)
{
    return desc->sweep != NULL || desc->sweep_double != NULL;
}

static bool launches(const struct qp_custom_variant *desc)
{
    return desc->launch != NULL || desc->launch_double != NULL;
}

static bool draws(const struct qp_custom_variant *desc)
{
    return !sweeps(desc) && !launches(desc);
}

static struct qp_shape shape_of(const struct qp_custom_variant *desc)
{
    static const enum qp_format formats[] = {QP_LUMINANCE32F, QP_R32F, QP_RGBA32F};
    const bool doubles = desc->sweep_double != NULL || desc->launch_double != NULL;
    if (!draws(desc))
        return (struct qp_shape){.format = doubles ? QP_R64F : QP_R32F,
                                 .flat = true,
                                 .align = launches(desc) ? DEVICE_LINE : 0};
    return (struct qp_shape){.format = formats[desc->texel],
                             .neighbours = desc->texel == QP_TEXEL_RGBA ? 4 : 1,
                             .pad_x = desc->pad_x,
                             .pad_y = desc->pad_y};
}

static unsigned needs_of(const struct qp_custom_variant *desc)
{
    static const unsigned needs[] = {QP_CAN_LUMINANCE32F, QP_CAN_R32F, QP_CAN_RGBA32F};
    return draws(desc) ? needs[desc->texel] : 0;
}

static bool is_given(const struct qp_shader_source *source)
{
    return source->text != NULL || source->file != NULL;
}

/* The draw has a shader in either form. */
static bool is_drawn(const struct qp_custom_draw *draw)
{
    return is_given(&draw->fragment) || draw->body != NULL;
}

/* ---- Errors ---- */

static enum qp_status check_draw(const char *op, const struct qp_custom_variant *desc, int index)
{
    const struct qp_custom_draw *draw = &desc->draw[index];
    if (draw->body != NULL && (is_given(&draw->fragment) || is_given(&draw->vertex)))
        return qp_fail(QP_BAD_USE, "%s/%s: draw %d has a body and another shader; take one", op,
                       desc->name, index + 1);
    if (draw->body != NULL && desc->texel == QP_TEXEL_RGBA)
        return qp_fail(QP_BAD_USE,
                       "%s/%s: a body computes one cell; take QP_TEXEL_R32F or "
                       "QP_TEXEL_LUMINANCE, or a whole shader",
                       op, desc->name);
    if (!is_drawn(draw) && is_given(&draw->vertex))
        return qp_fail(QP_BAD_USE, "%s/%s: draw %d has a vertex shader and no fragment shader", op,
                       desc->name, index + 1);
    if ((int)draw->cover < QP_COVER_ALL || draw->cover > QP_COVER_POINTS)
        return qp_fail(QP_BAD_USE, "%s/%s: draw %d covers nothing known (%d)", op, desc->name,
                       index + 1, (int)draw->cover);
    return QP_OK;
}

static enum qp_status check_variant(const struct qp_custom *custom,
                                    const struct qp_custom_variant *desc)
{
    enum { MOST_PADDING = 64 };
    const char *op = custom->op.name;
    if (desc->name == NULL || !qp_custom_is_word(desc->name))
        return qp_fail(QP_BAD_USE,
                       "a variant of %s needs a name of letters, digits and _, not '%s'", op,
                       desc->name != NULL ? desc->name : "");
    for (const struct qp_custom_entry *entry = custom->entries; entry != NULL; entry = entry->next)
        if (strcmp(strchr(entry->variant.name, '/') + 1, desc->name) == 0)
            return qp_fail(QP_BAD_USE, "%s/%s is there already", op, desc->name);
    if ((desc->sweep != NULL) + (desc->sweep_double != NULL) + (desc->launch != NULL) +
            (desc->launch_double != NULL) + is_drawn(&desc->draw[0]) !=
        1)
        return qp_fail(QP_BAD_USE, "%s/%s needs either a fragment shader, or a sweep, or a launch",
                       op, desc->name);
    if ((int)desc->texel < QP_TEXEL_LUMINANCE || desc->texel > QP_TEXEL_RGBA)
        return qp_fail(QP_BAD_USE, "%s/%s: there is no texel format %d", op, desc->name,
                       (int)desc->texel);
    if (desc->pad_x < 0 || desc->pad_y < 0 || desc->pad_x > MOST_PADDING ||
        desc->pad_y > MOST_PADDING)
        return qp_fail(QP_BAD_USE, "%s/%s: a padding of %d x %d texels is not from 0 to %d", op,
                       desc->name, desc->pad_x, desc->pad_y, MOST_PADDING);
    enum qp_status status = QP_OK;
    for (int i = 0; i < QP_CUSTOM_DRAWS && status == QP_OK; i++)
        status = check_draw(op, desc, i);
    return status;
}

/* ---- Shaders ---- */

/* `name` becomes what messages call it, the file's path or "op/name.frag", `text` its text. */
static enum qp_status keep_shader(struct qp_custom *custom, const struct qp_custom_entry *entry,
                                  const struct qp_shader_source *source, const char *ending,
                                  const char **name, const char **text)
{
    char *read = NULL;
    if (!is_given(source))
        return QP_OK;
    if (source->text == NULL) {
        enum qp_status status = qp_shader_read_file(source->file, &read);
        if (status != QP_OK)
            return status == QP_NO_MEMORY ? qp_fail_within(status, "custom shader %s", source->file)
                                          : status;
    }
    *text = qp_custom_keep(custom, source->text != NULL ? source->text : read, "");
    free(read);
    *name = source->text != NULL ? qp_custom_keep(custom, entry->variant.name, ending)
                                 : qp_custom_keep(custom, source->file, "");
    return *text != NULL && *name != NULL ? QP_OK : QP_NO_MEMORY;
}

static enum qp_status keep_draws(struct qp_custom *custom, const struct qp_custom_variant *desc,
                                 struct qp_custom_entry *entry)
{
    enum qp_status status = QP_OK;
    for (int i = 0; i < QP_CUSTOM_DRAWS && status == QP_OK; i++) {
        struct qp_draw *draw = &entry->recipe.draw[i];
        char ending[16] = "";
        if (i > 0)
            snprintf(ending, sizeof ending, "_%d", i + 1);
        size_t length = strlen(ending);
        draw->cover = desc->draw[i].cover;
        strcpy(ending + length, ".frag");
        const struct qp_shader_source body = {.text = desc->draw[i].body};
        status = keep_shader(custom, entry, body.text != NULL ? &body : &desc->draw[i].fragment,
                             ending, &draw->fragment, &draw->fragment_text);
        if (status == QP_OK && body.text != NULL)
            status = qp_custom_head(custom, entry->variant.name, &draw->fragment_head);
        strcpy(ending + length, ".vert");
        if (status == QP_OK)
            status = keep_shader(custom, entry, &desc->draw[i].vertex, ending, &draw->vertex,
                                 &draw->vertex_text);
    }
    return status;
}

/* ---- Recipe and row ---- */

/* The inputs of a step in double, which stand in `input` as pointers to float. */
static struct qp_custom_grid grid_in_double(const struct qp_custom *custom, int width, int height,
                                            const float *const *input, const double **doubles)
{
    struct qp_custom_grid grid = qp_custom_grid_of(custom, width, height, NULL);
    for (int i = 0; i < custom->inputs; i++)
        doubles[i] = (const void *)input[i];
    grid.input_double = doubles;
    return grid;
}

static void sweep(const struct qp_sweep *sweep)
{
    const struct qp_custom_entry *entry = sweep->user;
    struct qp_custom_grid grid =
        qp_custom_grid_of(entry->custom, sweep->width, sweep->height, sweep->input);
    entry->sweep(&grid, sweep->x, sweep->out);
}

static void sweep_double(const struct qp_sweep *sweep)
{
    const struct qp_custom_entry *entry = sweep->user;
    const double *input[QP_CUSTOM_ARRAYS] = {0};
    struct qp_custom_grid grid =
        grid_in_double(entry->custom, sweep->width, sweep->height, sweep->input, input);
    entry->sweep_double(&grid, (const void *)sweep->x, (void *)sweep->out);
}

static int call_launch(const struct qp_custom_entry *entry, const struct qp_launch *launch)
{
    const double *input[QP_CUSTOM_ARRAYS] = {0};
    void *stream = launch->cuda->stream;
    if (entry->launch != NULL) {
        struct qp_custom_grid grid =
            qp_custom_grid_of(entry->custom, launch->width, launch->height, launch->input);
        return entry->launch(&grid, launch->x, launch->out, stream);
    }
    struct qp_custom_grid grid =
        grid_in_double(entry->custom, launch->width, launch->height, launch->input, input);
    return entry->launch_double(&grid, (const void *)launch->x, (void *)launch->out, stream);
}

static enum qp_status launch(struct qp_launch *launch)
{
    const struct qp_custom_entry *entry = launch->user;
    int error = call_launch(entry, launch);
    char doing[160];
    snprintf(doing, sizeof doing, "launch %s", entry->variant.name);
    return qp_cuda_check(error, doing);
}

static void fill_recipe(const struct qp_custom_variant *desc, struct qp_custom_entry *entry)
{
    const struct qp_custom *custom = entry->custom;
    struct qp_recipe *recipe = &entry->recipe;
    recipe->state = shape_of(desc);
    for (int i = 0; i < custom->inputs; i++)
        recipe->input[i] = (struct qp_input){.name = custom->field[QP_CUSTOM_INPUT + i].name,
                                             .shape = recipe->state,
                                             .fields = 1,
                                             .field = {QP_CUSTOM_INPUT + i}};
    recipe->sweep = desc->sweep != NULL ? sweep : desc->sweep_double != NULL ? sweep_double : NULL;
    entry->kernel = (struct qp_cuda_kernel){.launch = launch};
    recipe->kernel = launches(desc) ? &entry->kernel : NULL;
    recipe->own = entry;
    recipe->flops = custom->desc.flops;
    recipe->bytes = custom->desc.bytes;
}

static enum qp_status fill_entry(struct qp_custom *custom, const struct qp_custom_variant *desc,
                                 struct qp_custom_entry *entry)
{
    static const char *const layouts[] = {"one cell a texel", "one cell a texel",
                                          "four neighbours a texel"};
    const char *slash = qp_custom_keep(custom, custom->op.name, "/");
    const char *name = slash != NULL ? qp_custom_keep(custom, slash, desc->name) : NULL;
    const char *sentence = qp_custom_keep(custom, desc->sentence != NULL ? desc->sentence : "", "");
    if (name == NULL || sentence == NULL)
        return QP_NO_MEMORY;
    entry->custom = custom;
    entry->sweep = desc->sweep;
    entry->launch = desc->launch;
    entry->sweep_double = desc->sweep_double;
    entry->launch_double = desc->launch_double;
    entry->variant =
        (struct qp_variant){.name = name,
                            .op = custom->op.name,
                            .backend = sweeps(desc)     ? QP_CPU
                                       : launches(desc) ? QP_CUDA
                                                        : QP_GL,
                            .layout = draws(desc) ? layouts[desc->texel] : "arrays without gaps",
                            .needs = needs_of(desc),
                            .place = "made at run time",
                            .sentence = sentence,
                            .recipe = &entry->recipe};
    fill_recipe(desc, entry);
    return keep_draws(custom, desc, entry);
}

enum qp_status qp_custom_add(struct qp_custom *custom, const struct qp_custom_variant *desc,
                             const struct qp_variant **out)
{
    if (QP_NEED_OUT(out, NULL))
        return QP_BAD_USE;
    if (custom == NULL || desc == NULL)
        return qp_fail(QP_BAD_USE, "a variant needs an operation and a description, not NULL");
    enum qp_status status = check_variant(custom, desc);
    if (status != QP_OK)
        return status;
    struct qp_custom_entry *entry = qp_alloc_zero(1, sizeof *entry, "a custom variant");
    if (entry == NULL)
        return QP_NO_MEMORY;
    status = fill_entry(custom, desc, entry);
    if (status != QP_OK) {
        free(entry);
        return status;
    }
    entry->next = custom->entries;
    custom->entries = entry;
    *out = &entry->variant;
    return QP_OK;
}
