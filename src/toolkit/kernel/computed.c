/* SPDX-License-Identifier: MIT */
/* Bodies of fragments as compute shaders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/gl/shaders.h"
#include "toolkit/kernel/kernel.h"

/* Appends a body, precise as bodies are. */
static enum qp_status append(FILE *text, const char *shader)
{
    char *body = NULL, *precise = NULL;
    enum qp_status status = shader != NULL ? qp_shader_read(shader, &body) : QP_OK;
    if (body != NULL)
        status = qp_precise_text(body, false, &precise);
    if (precise != NULL)
        fprintf(text, "%s\n", precise);
    free(precise);
    free(body);
    return status;
}

/* Lines that call kernel() and store its results. */
static void define_ends(FILE *text, const struct qp_kernel_desc *desc,
                        const struct qp_compute_texts *of)
{
    const int results = desc->outputs - (of->map != NULL);
    for (int i = 0; i < QP_KERNEL_OUTPUTS; i++)
        fprintf(text, "#undef out%d\n", i);
    fprintf(text, "#define CALL %s\n#define STORE",
            results == 0  ? ""
            : of->returns ? "qp_out0 = kernel(qp_here);"
                          : "kernel(qp_here);");
    for (int i = 0; i < results; i++)
        fprintf(text, " imageStore(out%d, ivec2(qp_here), qp_out%d);", i, i);
    fprintf(text, "\n%s", of->totals ? "#define TOTAL\n" : "");
    if (of->map != NULL)
        fprintf(text, "#define SUMS out%d\n", results);
}

enum qp_status qp_kernel_computed(struct qp_context *context, const struct qp_compute_texts *of,
                                  const struct qp_kernel_desc *desc, struct qp_kernel **out)
{
    struct qp_kernel_desc kernel = *desc;
    char *all = NULL, *end = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&all, &size);
    *out = NULL;
    if (text == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for a shader's text");
    qp_computed_declare(text, desc);
    fprintf(text, "%s%s", of->totals ? "#define COMPUTED\n" : "",
            of->lines != NULL ? of->lines : "");
    enum qp_status status = append(text, of->totals ? "toolkit/total.frag" : NULL);
    if (status == QP_OK)
        status = append(text, of->kernel);
    fprintf(text, "%s", of->map_lines != NULL ? of->map_lines : "");
    if (status == QP_OK)
        status = append(text, of->map);
    define_ends(text, desc, of);
    if (status == QP_OK)
        status = qp_shader_read("toolkit/computed.comp", &end);
    fprintf(text, "%s", end != NULL ? end : "");
    free(end);
    if (fclose(text) != 0 && status == QP_OK)
        status = qp_fail(QP_NO_MEMORY, "no memory for a shader's text");
    kernel.compute.text = all;
    if (status == QP_OK)
        status = qp_kernel_create(context, &kernel, out);
    free(all);
    return status;
}
