/* SPDX-License-Identifier: MIT */
/* Kernels spoiled one fetch at a time: would a pass's reference notice? */
#include <stdlib.h>

#include "gl/shaders.h"
#include "walk/mutants.h"
#include "walk/pass_case.h"

/* The text that is spoiled, or, where it is NULL, its file. */
static const char **text_of(struct qp_kernel_desc *desc, const char **file)
{
    struct qp_shader_source *source =
        qp_kernel_has(&desc->compute) ? &desc->compute : &desc->fragment;
    *file = source->file;
    return desc->body != NULL ? &desc->body : &source->text;
}

/* A text that does not compile is no mutant. */
static enum qp_status check_mutant(const struct qp_pass_trial *trial,
                                   const struct qp_kernel_desc *desc,
                                   const struct qp_mutants *mutants, struct qp_spoil_result *out)
{
    const struct qp_spoil_desc told = {.on_mutant = trial->desc->on_mutant,
                                       .user = trial->desc->user};
    struct qp_context *context = trial->prepared.kernel->context;
    struct qp_pass_check_result result;
    struct qp_kernel *kernel;
    enum qp_status status = qp_kernel_create(context, desc, &kernel);
    if (status == QP_BAD_INPUT)
        return QP_OK;
    if (status == QP_OK)
        status = qp_pass_check_sizes(trial, kernel, &result);
    if (status == QP_OK)
        qp_mutants_count(mutants, desc->name, result.verdict == QP_FAIL, result.reason, &told, out);
    qp_kernel_destroy(&kernel);
    return status;
}

/* Mutants look a cell further than the kernel. */
enum qp_status qp_pass_spoil(const struct qp_pass_trial *trial, struct qp_spoil_result *out)
{
    struct qp_kernel_desc desc = trial->prepared.kernel->desc;
    struct qp_mutants mutants = {.text = NULL};
    const char *file, **text = text_of(&desc, &file);
    char *read = NULL;
    enum qp_status status = *text == NULL ? qp_shader_read_file(file, &read) : QP_OK;
    *out = (struct qp_spoil_result){0};
    for (int i = 0; i < trial->prepared.kernel->inputs; i++)
        desc.input[i].reach += desc.input[i].reach > 0;
    if (status == QP_OK)
        status = qp_mutants_open(*text != NULL ? *text : read, desc.body != NULL, &mutants);
    while (status == QP_OK && qp_mutants_next(&mutants)) {
        *text = mutants.other;
        status = check_mutant(trial, &desc, &mutants, out);
    }
    qp_mutants_close(&mutants);
    free(read);
    return status;
}
