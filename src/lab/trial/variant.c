/* SPDX-License-Identifier: MIT */
/* Variants of trials. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/trial/trial.h"
#include "toolkit/base/caller.h"
#include "toolkit/gl/shaders.h"
#include "toolkit/glsl/facts.h"
#include "toolkit/kernel/kernel.h"

static bool is_function(const struct qp_kernel_desc *desc)
{
    return desc->sweep != NULL || desc->launch != NULL;
}

/* ---- Names ---- */

/* True if a variant may have cells of this type where the trial has the other. */
static bool fits(enum qp_array_type own, enum qp_array_type of_trial, bool doubles)
{
    const bool other = own <= QP_ARRAY_HALF || (doubles && own == QP_ARRAY_DOUBLE);
    return own == of_trial || (of_trial <= QP_ARRAY_HALF && other);
}

/* Inputs and numbers of a kernel become those of the trial. */
static enum qp_status bind_names(const struct qp_trial *trial, const char *name,
                                 struct qp_kernel_desc *kernel)
{
    const bool doubles = kernel->output_type == QP_ARRAY_DOUBLE;
    for (struct qp_kernel_input *input = kernel->input; input->name != NULL; input++) {
        const int k = qp_trial_input_of(trial, input->name);
        if (k < 0)
            return qp_fail(QP_BAD_USE, "%s reads '%s', which the trial's first kernel does not",
                           name, input->name);
        if ((input->channels != 0 ? input->channels : 1) != trial->input[k].channels ||
            !fits(input->type, trial->input[k].type, doubles))
            return qp_fail(QP_BAD_USE, "%s: cells of '%s' are of another type in the first kernel",
                           name, input->name);
        input->name = trial->input[k].desc.name;
    }
    for (struct qp_kernel_number *number = kernel->number; number->name != NULL; number++) {
        const int k = qp_trial_number_of(trial, number->name);
        if (k < 0 || number->type != trial->number[k].type ||
            number->elements != trial->number[k].elements)
            return qp_fail(QP_BAD_USE, "%s: the trial's first kernel has no number '%s'%s", name,
                           number->name, k < 0 ? "" : " of this type");
        number->name = trial->number[k].name;
    }
    return QP_OK;
}

/* Checks what is said of a program's points and blending. */
static enum qp_status check_points(const struct qp_trial *trial,
                                   const struct qp_trial_recipe *recipe,
                                   const struct qp_trial_variant *desc, int i)
{
    const char *name = recipe->variant.name;
    const struct qp_kernel_desc *kernel = &desc->kernel[i];
    const bool covers = desc->cover[i] == QP_COVER_POINTS;
    const struct qp_tokens *tokens = qp_tokens_read(kernel->body != NULL ? kernel->body : "");
    if (tokens == NULL)
        return QP_NO_MEMORY;
    const bool places = qp_glsl_places(tokens);
    qp_tokens_release(&tokens);
    if (covers && !places && !qp_kernel_has(&kernel->vertex))
        return qp_fail(QP_BAD_USE, "%s: program %d covers points, and has no vertex shader", name,
                       i + 1);
    if (covers && recipe->in_turn && desc->blend[i] == QP_BLEND_REPLACE)
        return qp_fail(QP_BAD_USE, "%s: program %d, in turn with others, must blend its points",
                       name, i + 1);
    if ((places || desc->points[i] != 0) && !covers)
        return qp_fail(QP_BAD_USE, "%s: program %d has %s, and does not cover points", name, i + 1,
                       places ? "place()" : "points");
    for (int k = 0; desc->blend[i] != QP_BLEND_REPLACE && k < trial->outputs; k++) {
        if (is_function(kernel) || trial->state[k] < 0)
            return qp_fail(QP_BAD_USE, "%s: program %d cannot blend with the old state: %s", name,
                           i + 1, is_function(kernel) ? "it is a function" : "an output is none");
    }
    return QP_OK;
}

static enum qp_status check_kernel(const struct qp_trial *trial,
                                   const struct qp_trial_recipe *recipe, enum qp_cover cover, int i)
{
    const struct qp_kernel_desc *kernel = &recipe->kernel[i];
    const char *name = recipe->variant.name;
    const enum qp_status status = qp_kernel_check_desc(kernel);
    if (status != QP_OK)
        return qp_fail_within(status, "%s", name);
    if ((kernel->outputs != 0 ? kernel->outputs : 1) != trial->outputs ||
        (kernel->output_channels != 0 ? kernel->output_channels : 1) != trial->channels ||
        kernel->output_type != recipe->kernel[0].output_type ||
        !fits(kernel->output_type, trial->type, true))
        return qp_fail(QP_BAD_USE, "%s has other outputs than the trial's first kernel", name);
    if ((int)cover < QP_COVER_ALL || cover > QP_COVER_POINTS ||
        (cover != QP_COVER_ALL && is_function(kernel)))
        return qp_fail(QP_BAD_USE, "%s: program %d cannot cover %d; see enum qp_cover", name, i + 1,
                       (int)cover);
    if (recipe->in_turn && cover != QP_COVER_ALL && cover != QP_COVER_POINTS)
        return qp_fail(QP_BAD_USE, "%s: program %d, in turn with others, must cover all cells",
                       name, i + 1);
    if (trial->desc.set_step != NULL && is_function(kernel))
        return qp_fail(QP_BAD_USE,
                       "%s is a function, and numbers that change by step are of programs", name);
    return QP_OK;
}

/* Counts the kernels: programs, or one function. */
static enum qp_status count_kernels(const struct qp_trial_variant *desc,
                                    struct qp_trial_recipe *recipe)
{
    int functions = 0;
    for (; recipe->kernels < QP_TRIAL_KERNELS; recipe->kernels++) {
        const struct qp_kernel_desc *kernel = &desc->kernel[recipe->kernels];
        const int forms = (kernel->sweep != NULL) + (kernel->launch != NULL) +
                          (kernel->body != NULL || qp_kernel_has(&kernel->fragment) ||
                           qp_kernel_has(&kernel->compute));
        functions += is_function(kernel);
        if (forms > 1)
            return qp_fail(QP_BAD_USE, "%s: a kernel is either a program, or a sweep, or a launch",
                           recipe->variant.name);
        if (forms == 0)
            break;
        recipe->kernel[recipe->kernels] = *kernel;
    }
    if (recipe->kernels == 0 || (functions > 0 && recipe->kernels > 1))
        return qp_fail(QP_BAD_USE, "%s needs programs for its step, or one function",
                       recipe->variant.name);
    return QP_OK;
}

/* ---- Texts ---- */

/* A kernel without a name is called by its file, or by its variant. */
static enum qp_status keep_kernel(struct qp_trial_recipe *recipe, int i)
{
    struct qp_kernel_desc kernel = recipe->kernel[i];
    const char *file = kernel.compute.file != NULL    ? kernel.compute.file
                       : kernel.fragment.text == NULL ? kernel.fragment.file
                                                      : NULL;
    char name[160];
    snprintf(name, sizeof name, i > 0 ? "%s_%d" : "%s", recipe->variant.name, i + 1);
    if (kernel.name == NULL)
        kernel.name = file != NULL ? file : name;
    return qp_kernel_copy_desc(&kernel, &recipe->kernel[i], &recipe->strings[i]);
}

/* A whole shader finds its cells anywhere if it asks where they begin; a short one gets its origin
 * from the library. */
static enum qp_status look_at_origins(const struct qp_kernel_desc *kernel, bool *guarded)
{
    const char *text = kernel->compute.text != NULL ? kernel->compute.text : kernel->fragment.text;
    char origin[80];
    if (text == NULL || kernel->body != NULL)
        return QP_OK;
    const struct qp_tokens *tokens = qp_tokens_read(text);
    if (tokens == NULL)
        return QP_NO_MEMORY;
    *guarded = *guarded && qp_glsl_has(tokens, "origin");
    for (int i = 0; kernel->input[i].name != NULL; i++) {
        snprintf(origin, sizeof origin, "%s_origin", kernel->input[i].name);
        *guarded = *guarded &&
                   (!qp_glsl_has(tokens, kernel->input[i].name) || qp_glsl_has(tokens, origin));
    }
    qp_tokens_release(&tokens);
    return QP_OK;
}

/* ---- Variants ---- */

static double device_bytes(enum qp_array_type type)
{
    return type == QP_ARRAY_HALF ? 2.0 : (double)qp_typed_bytes(type);
}

/* Bytes of an update: each output is written, and each input read that grows with them. */
static double bytes_of(const struct qp_trial_recipe *recipe)
{
    const struct qp_trial *trial = recipe->trial;
    double bytes = trial->outputs * trial->channels * device_bytes(recipe->kernel[0].output_type);
    for (int i = 0; i < trial->inputs; i++) {
        if (trial->input[i].table.width == 0)
            bytes += trial->input[i].channels * device_bytes(qp_trial_input_type(recipe, i));
    }
    return trial->desc.bytes > 0.0 ? trial->desc.bytes : bytes;
}

static void fill_recipe(const struct qp_trial_variant *desc, struct qp_trial_recipe *recipe)
{
    const struct qp_kernel_desc *first = &recipe->kernel[0];
    const bool function = is_function(first);
    recipe->recipe = (struct qp_recipe){
        .engine = function ? &qp_engine_functions : &qp_engine_kernels,
        .state = {.format = first->output_type <= QP_ARRAY_HALF ? QP_R32F : QP_R64F, .flat = true},
        .bytes = bytes_of(recipe),
        .flops = recipe->trial->desc.flops > 0.0 ? recipe->trial->desc.flops : (double)NAN,
        .own = recipe};
    for (int i = 0; i < recipe->kernels && !function; i++) {
        struct qp_kernel_desc *kernel = &recipe->kernel[i];
        recipe->recipe.draw[i] = (struct qp_draw){.fragment = kernel->name,
                                                  .fragment_text = *qp_kernel_text(kernel),
                                                  .cover = desc->cover[i],
                                                  .kernel = kernel};
    }
    recipe->variant.backend = !function ? QP_GL : first->sweep != NULL ? QP_CPU : QP_CUDA;
    recipe->variant.layout = function ? "arrays without gaps" : "arrays of the toolkit";
    recipe->variant.place = "made at run time";
    recipe->variant.recipe = &recipe->recipe;
}

static enum qp_status fill_row(struct qp_trial *trial, const struct qp_trial_variant *desc,
                               struct qp_trial_recipe *recipe)
{
    char name[160];
    snprintf(name, sizeof name, "%s/%s", trial->desc.name, desc->name);
    recipe->trial = trial;
    recipe->guarded = true;
    recipe->variant.op = trial->desc.name;
    recipe->variant.name = qp_trial_keep(trial, name);
    recipe->variant.sentence = qp_trial_keep(trial, desc->sentence != NULL ? desc->sentence : "");
    if (recipe->variant.name == NULL || recipe->variant.sentence == NULL)
        return QP_NO_MEMORY;
    for (const struct qp_trial_recipe *other = trial->recipes; other != NULL; other = other->next) {
        if (strcmp(other->variant.name, recipe->variant.name) == 0)
            return qp_fail(QP_BAD_USE, "%s is there already", recipe->variant.name);
    }
    enum qp_status status = count_kernels(desc, recipe);
    recipe->in_turn = desc->in_turn && recipe->kernels > 1;
    for (int i = 0; i < recipe->kernels && status == QP_OK; i++) {
        status = check_kernel(trial, recipe, desc->cover[i], i);
        if (status == QP_OK)
            status = check_points(trial, recipe, desc, i);
        recipe->points[i] = desc->points[i];
        recipe->blend[i] = desc->blend[i];
        if (status == QP_OK)
            status = keep_kernel(recipe, i);
        if (status == QP_OK)
            status = bind_names(trial, recipe->variant.name, &recipe->kernel[i]);
        if (status == QP_OK)
            status = look_at_origins(&recipe->kernel[i], &recipe->guarded);
    }
    if (status == QP_OK)
        fill_recipe(desc, recipe);
    return status;
}

enum qp_status qp_trial_add(struct qp_trial *trial, const struct qp_trial_variant *variant,
                            const struct qp_variant **out)
{
    if (QP_NEED_OUT(out, NULL) || QP_NEED(trial) || QP_NEED(variant))
        return QP_BAD_USE;
    if (variant->name == NULL || !qp_trial_is_word(variant->name))
        return qp_fail(QP_BAD_USE,
                       "a variant of %s needs a name of letters, digits and _, not '%s'",
                       trial->desc.name, variant->name != NULL ? variant->name : "");
    struct qp_trial_recipe *recipe = qp_alloc_zero(1, sizeof *recipe, "a trial's variant");
    if (recipe == NULL)
        return QP_NO_MEMORY;
    const enum qp_status status = fill_row(trial, variant, recipe);
    if (status != QP_OK) {
        qp_trial_destroy_recipe(recipe);
        return status == QP_NO_MEMORY
                   ? qp_fail_within(status, "trial %s, variant %s", trial->desc.name, variant->name)
                   : status;
    }
    recipe->next = trial->recipes;
    trial->recipes = recipe;
    *out = &recipe->variant;
    return QP_OK;
}

void qp_trial_set_engine(const struct qp_variant *variant, const struct qp_engine *engine,
                         enum qp_backend backend, void *user)
{
    struct qp_trial_recipe *recipe = (struct qp_trial_recipe *)variant->recipe->own;
    recipe->user = user;
    recipe->variant.backend = backend;
    recipe->variant.layout = "arrays of a generated program";
    recipe->recipe.engine = engine;
    for (int i = 0; i < recipe->kernels; i++)
        recipe->recipe.draw[i] = (struct qp_draw){.fragment = NULL};
}
