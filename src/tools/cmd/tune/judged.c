/* SPDX-License-Identifier: MIT */
#include "tools/cmd/tune/judged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/trial/trial.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/random.h"
#include "toolkit/base/status.h"
#include "toolkit/kernel/kernel.h"

static size_t bytes_of(const struct judged *judged)
{
    return qp_typed_bytes(judged->file->desc.output_type);
}

/* Values of integers are whole. */
enum qp_status judged_make(struct judged *out)
{
    const enum qp_array_type type = out->file->desc.output_type;
    const size_t cells = (size_t)out->size.width * (size_t)out->size.height,
                 count = cells * (size_t)out->file->inputs;
    uint64_t random = 1;
    out->arrays = qp_alloc(count, bytes_of(out), "a kernel's arrays");
    out->wanted = qp_alloc(cells * (size_t)out->file->states, bytes_of(out), "its states");
    for (size_t i = 0; i < count && out->wanted != NULL && out->arrays != NULL; i++) {
        double value = qp_random(&random, 0.0, 1.0);
        value = qp_array_is_whole(type) ? floor(10.0 * value) : (double)(float)value;
        qp_typed_put(type, QP_DOUBLES, &value, 1, out->arrays + i * bytes_of(out));
    }
    return out->wanted != NULL && out->arrays != NULL ? QP_OK : QP_NO_MEMORY;
}

enum qp_status judged_put(const struct judged *judged, struct qp_machine *machine)
{
    enum qp_status status = QP_OK;
    for (int k = 0; k < judged->file->inputs && status == QP_OK; k++) {
        memcpy(machine->cells, judged->arrays + (size_t)k * machine->bytes, machine->bytes);
        status = qp_machine_put(machine, k);
    }
    return status;
}

enum qp_status judged_take(struct qp_machine *machine, int steps, double *seconds)
{
    const double start = qp_clock();
    enum qp_status status = qp_machine_take(machine, steps);
    if (status == QP_OK)
        status = qp_machine_finish(machine);
    *seconds = qp_clock() - start;
    return status;
}

enum qp_status judged_open(const struct judged *judged, const struct qp_build *build,
                           struct qp_machine *out)
{
    static const struct qp_allowance patience = {.seconds = 60.0};
    enum qp_status status = qp_machine_open(build, judged->file, judged->size.width,
                                            judged->size.height, 0, &patience, out);
    if (status == QP_OK)
        status = judged_put(judged, out);
    return status == QP_OK ? qp_machine_load(out, JUDGED_STEPS) : status;
}

enum qp_status judged_compare(struct judged *judged, struct qp_machine *machine,
                              struct qp_tried *tried)
{
    const size_t bytes = machine->bytes, one = bytes_of(judged);
    double seconds;
    enum qp_status status = judged_take(machine, judged->steps, &seconds);
    for (int k = 0; k < judged->file->states && status == QP_OK; k++) {
        char *wanted = judged->wanted + (size_t)k * bytes, *cells = machine->cells;
        status = qp_machine_get(machine, k);
        if (tried == NULL)
            memcpy(wanted, cells, bytes);
        if (status != QP_OK || memcmp(wanted, cells, bytes) == 0)
            continue;
        size_t i = 0;
        while (memcmp(wanted + i, cells + i, one) == 0)
            i += one;
        tried->end = QP_TRIED_CORRECTNESS;
        snprintf(tried->why, sizeof tried->why,
                 "%s is %.9g at x = %d, y = %d of %d x %d after %d steps, and not %.9g",
                 judged->file->array[k].name,
                 qp_typed_get(judged->file->desc.output_type, cells + i, 0),
                 (int)(i / one) % machine->width + 1, (int)(i / one) / machine->width + 1,
                 machine->width, machine->height, judged->steps,
                 qp_typed_get(judged->file->desc.output_type, wanted + i, 0));
        break;
    }
    return status;
}

enum qp_status judged_learn(struct judged *judged, bool timed, struct qp_machine *untuned)
{
    static const double sample_seconds = 0.04;
    double seconds = 0.0;
    enum qp_status status = QP_OK;
    for (int run = 0; run < 2 && status == QP_OK && timed; run++)
        status = judged_take(untuned, JUDGED_STEPS, &seconds);
    if (timed && status == QP_OK) {
        judged->steps = JUDGED_STEPS * (int)fmin(1000.0, ceil(sample_seconds / seconds));
        status = judged_put(judged, untuned);
    }
    return status == QP_OK ? judged_compare(judged, untuned, NULL) : status;
}

void judged_destroy(struct judged *judged)
{
    free(judged->arrays);
    free(judged->wanted);
}
