/* SPDX-License-Identifier: MIT */
/* Arrays that are expressions, as a function of a program. */
#include "base/expression.h"

#include "stencil/stencil.h"

void qp_stencil_put_expressions(const struct qp_stencil *stencil, FILE *out)
{
    struct qp_expression expression;
    fputs("#ifndef M_PI\n#define M_PI 3.14159265358979323846\n#endif\n\n"
          "/* The array that is an expression of a cell's numbers x and y, from 1 on. */\n"
          "static double computed(int array, double x, double y)\n{\n"
          "    (void)array, (void)x, (void)y;\n",
          out);
    for (int k = 0; k < stencil->file->inputs; k++) {
        const struct qp_kernel_file_array *array = &stencil->file->array[k];
        if (array->made != QP_MADE_EXPRESSION ||
            qp_expression_read(array->from, &expression) != QP_OK)
            continue;
        fprintf(out, "    if (array == %d)\n        return ", k);
        qp_expression_put(&expression, expression.whole, "x", "y", out);
        fputs(";\n", out);
    }
    fputs("    return 0.0;\n}\n\n", out);
}
