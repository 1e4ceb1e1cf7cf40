/* SPDX-License-Identifier: MIT */
#include "cmd/tune/near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "trial/trial.h"
#include "tune/equal.h"
#include "walk/samples.h"

const char near_stays[] = "no variant is faster here than the plain program";

/* A configuration as lines of a head: `sync`, and of programs with launches `tuned`, which is else
 * empty. */
static void put_lines(const char *target, const char *values, char sync[48], char tuned[48])
{
    char kind[16] = "";
    int alpha = 0, block = 0;
    sscanf(values, "sync=%15s alpha=%d block=%d", kind, &alpha, &block);
    snprintf(sync, 48, "%s", kind);
    tuned[0] = '\0';
    if (strncmp(kind, "async", 5) == 0) {
        snprintf(sync, 48, "%s alpha=%d", kind, alpha);
        snprintf(tuned, 48, "%.20s block=%d", target, block);
    }
}

enum qp_status near_set(struct qp_kernel_file_owner *head, const char *target, const char *values)
{
    char sync[48], tuned[48];
    put_lines(target, values, sync, tuned);
    head->sync.line = 0;
    const enum qp_status status = qp_kernel_file_take_sync(head, sync, 1);
    return status == QP_OK && tuned[0] != '\0' ? qp_kernel_file_tune(head, tuned) : status;
}

void near_put(const struct judged *judged, const char *target, const char *values, FILE *out)
{
    char sync[48], tuned[48];
    put_lines(target, values, sync, tuned);
    fprintf(out, "//@ sync %s\n", sync);
    if (tuned[0] != '\0')
        fprintf(out, "//@ tuned %s\n", tuned);
    fprintf(out,
            "times are until it stays within %.3g of the limit, as %d plain steps come to in %.4g "
            "ms; it is not kept, for it changes numbers\n",
            judged->enough, judged->steps, 1e3 * judged->plain);
}

/* The largest distance of the machine's cells from others, or from 0, and the cell that has it. */
static double find_distance(const struct qp_machine *machine, const char *from, size_t *cell)
{
    const enum qp_array_type type = machine->kernel->desc.output_type;
    double most = -1.0;
    for (size_t i = 0; i < machine->bytes / qp_typed_bytes(type); i++) {
        const double value = qp_typed_get(type, machine->cells, i),
                     other = from != NULL ? qp_typed_get(type, from, i) : 0.0,
                     distance = isfinite(value) ? fabs(value - other) : INFINITY;
        *cell = distance > most ? i : *cell;
        most = fmax(most, distance);
    }
    return most;
}

static enum qp_status take(struct qp_machine *machine, int launches, double *seconds)
{
    const enum qp_status status = judged_take(machine, launches, seconds);
    return status == QP_OK ? qp_machine_get(machine, 0) : status;
}

/* The limit lies as far ahead as the changes of further blocks of the steps sum up to, if they fall
 * as they did; rounding adds to each. Their sum must be little beside `enough`. */
enum qp_status near_learn(struct judged *judged, int steps, struct qp_machine *plain)
{
    enum { BLOCKS = 1024, USUAL = 40 };
    const double ulp = judged->file->desc.output_type == QP_ARRAY_DOUBLE ? 0x1p-53 : 0x1p-24;
    char *first = qp_alloc_zero(plain->bytes, 1, "a state");
    double before, change = 0.0, noise, seconds;
    bool near = false, stalls = false;
    size_t cell;
    enum qp_status status = first != NULL ? judged_put(judged, plain) : QP_NO_MEMORY;
    steps = steps > 0 ? steps : USUAL;
    judged->steps = steps;
    for (int k = 0; k < BLOCKS && status == QP_OK && !near && !stalls && isfinite(change); k++) {
        before = k > 1 ? change : INFINITY;
        status = take(plain, steps, &seconds);
        judged->plain = k > 0 ? judged->plain : seconds;
        noise = ulp * steps * find_distance(plain, NULL, &cell);
        change = noise + find_distance(plain, k > 1 ? judged->wanted : first, &cell);
        memcpy(k > 0 ? judged->wanted : first, plain->cells, plain->bytes);
        judged->enough = find_distance(plain, first, &cell);
        near = change < before && change / (1.0 - change / before) < 0.1 * judged->enough;
        stalls = k > 0 && change <= 2.0 * noise && isfinite(change);
    }
    free(first);
    return status != QP_OK || near
               ? status
               : qp_fail(QP_BAD_INPUT,
                         stalls ? "%s: %d plain steps come as near to a limit as rounding lets "
                                  "them; sync is tuned by fewer //@ steps"
                                : "%s: %d times its steps come near to no limit; sync is tuned for "
                                  "kernels that converge, by more //@ steps",
                         plain->kernel->path, stalls ? steps : BLOCKS);
}

/* Looks after each launch more, or of many a 64th part; at three runs, for some kinds race. */
enum qp_status near_judge(const struct judged *judged, struct qp_machine *machine,
                          const char *values, int *launches, struct qp_tried *tried)
{
    int alpha = 0;
    sscanf(values, "sync=async%*d alpha=%d", &alpha);
    const double most = 4.0 * judged->steps / (alpha + 1.0) + 4.0;
    double distance = 0.0, seconds, firsts[QP_LEAST_SAMPLES];
    size_t cell = 0;
    for (int look = 0, first = 1; look < QP_LEAST_SAMPLES && first > 0; firsts[look++] = first) {
        enum qp_status status = judged_put(judged, machine);
        first = 0;
        for (int taken = 0; taken < (first > 0 ? QP_EQUAL_STAYS * first : most);) {
            status = status == QP_OK ? take(machine, 1 + taken / 64, &seconds) : status;
            if (status != QP_OK)
                return status;
            taken += 1 + taken / 64;
            distance = find_distance(machine, judged->wanted, &cell);
            first = distance > judged->enough ? 0 : first > 0 ? first : taken;
        }
        tried->end = first > 0 ? QP_TRIED_CORRECT : QP_TRIED_CORRECTNESS;
    }
    if (tried->end == QP_TRIED_CORRECT)
        *launches = (int)qp_quantile(firsts, QP_LEAST_SAMPLES, 0.5);
    else
        snprintf(tried->why, sizeof tried->why,
                 "%s is %.3g from its limit at x = %d, y = %d of %d x %d, and not below %.3g",
                 judged->file->array[0].name, distance, (int)cell % machine->width + 1,
                 (int)cell / machine->width + 1, machine->width, machine->height, judged->enough);
    return QP_OK;
}
