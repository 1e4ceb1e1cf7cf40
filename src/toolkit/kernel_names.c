/* SPDX-License-Identifier: MIT */
/* Names of kernels: those that a description may use, and those that a program must have. */
#include "toolkit/kernel.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LETTERS = 63 };

bool qp_kernel_is_name(const char *name)
{
    static const char *const taken[] = {"size", "origin", "here", "kernel", "main",
                                        "out0", "out1",   "out2", "out3"};
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    bool good = length > 0 && length <= MOST_LETTERS && name[length] == '\0' &&
                !isdigit((unsigned char)name[0]) && strncmp(name, "gl_", 3) != 0 &&
                strncmp(name, "qp_", 3) != 0 && strstr(name, "__") == NULL;
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        good = good && strcmp(name, taken[i]) != 0;
    return good;
}

/* Whole shaders know places by two vec2s, short ones by a vec4. */
void qp_kernel_list_names(struct qp_kernel *kernel)
{
    const bool is_short = kernel->desc.body != NULL;
    struct qp_uniform *next = kernel->uniforms;
    for (int i = 0; i < kernel->inputs; i++) {
        const struct qp_kernel_input *input = &kernel->desc.input[i];
        *next++ = (struct qp_uniform){input->name, qp_kernel_types[input->type].sampler, 0};
    }
    for (int i = 0; i < kernel->inputs; i++) {
        char *place = kernel->derived[2 * i], *other = kernel->derived[2 * i + 1];
        const char *name = kernel->desc.input[i].name;
        snprintf(place, sizeof kernel->derived[0], is_short ? "qp_place_%s" : "%s_origin", name);
        snprintf(other, sizeof kernel->derived[0], is_short ? "qp_beyond_%s" : "%s_size", name);
        *next++ = (struct qp_uniform){place, is_short ? QP_VECTOR_4 : QP_VECTOR, 0};
        *next++ = (struct qp_uniform){
            other, is_short ? qp_kernel_types[kernel->desc.input[i].type].beyond : QP_VECTOR, 0};
    }
    for (int i = 0; i < kernel->numbers; i++) {
        const struct qp_kernel_number *number = &kernel->desc.number[i];
        *next++ = (struct qp_uniform){number->name, qp_kernel_number_types[number->type].uniform,
                                      number->elements};
    }
    *next++ = (struct qp_uniform){"size", QP_VECTOR, 0};
    *next++ = (struct qp_uniform){"origin", QP_VECTOR, 0};
    if (kernel->computes)
        next = qp_compute_names(kernel, next);
    *next = (struct qp_uniform){0};
}
