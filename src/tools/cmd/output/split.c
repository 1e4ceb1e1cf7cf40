/* SPDX-License-Identifier: MIT */
#include "tools/cmd/output/split.h"

#include "lab/engines/parts/learned.h"
#include "lab/engines/parts/parts.h"

void split_tell(FILE *out, const struct qp_context *context, const struct qp_variant *variant,
                const struct qp_parts_desc *asked)
{
    struct qp_learned learned;
    if (!qp_parts_are_split(variant->recipe) || asked->split != 0 || asked->count > 2)
        return;
    const struct qp_parts_variant *parts = variant->recipe->own;
    const char *whom = qp_parts_run(parts, 0)->backend == QP_CPU ? "the CPU" : "the first device";
    if (qp_learned_read(context, variant->name, &learned))
        fprintf(out, "split: %.1f %% of the rows to %s, as 'quadpass model' learned at %d x %d\n",
                100.0 * learned.split / learned.height, whom, learned.width, learned.height);
    else
        fprintf(out,
                "split: half of the rows to %s, for nothing is learned here; 'quadpass model %s' "
                "does that\n",
                whom, variant->name);
}
