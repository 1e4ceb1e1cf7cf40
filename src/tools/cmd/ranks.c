/* SPDX-License-Identifier: MIT */
#include "tools/cmd/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "lab/baseline/ranks.h"
#include "lab/engines/parts/link.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/context/display.h"
#include "tools/cmd/output/terminal.h"

void ranks_begin(void)
{
    if (baseline_is_started())
        terminal_refuse(); /* mpirun hands on a terminal, wherever it goes in the end */
    if (baseline_rank() == 0)
        return;
    options_silent = true;
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere != NULL)
        stdout = stderr = nowhere; /* 2 stays open, for crashes and for MPI's last words */
}

int ranks_code(int code)
{
    return baseline_rank() > 0 ? EXIT_GOOD : code;
}

/* True in a group of several processes. */
static bool is_joined(void)
{
    return qp_link_mpi.ranks != NULL && qp_link_mpi.ranks() > 1;
}

enum qp_status ranks_join(const struct options *options, const struct qp_variant *const variants[],
                          int count)
{
    bool together = false;
    for (int i = 0; i < count; i++)
        together = together || variants[i]->backend == QP_MPI;
    if (options->stall > 0.0)
        baseline_set_stall(options->stall);
    /* Times decide about the course of other commands, and differ between processes. */
    if (baseline_ranks() > 1 && together && (!options->command->ranks || options->paper != 0))
        return qp_fail(QP_UNSUPPORTED, "this runs mpi variants in one process: leave mpirun out");
    if (together && qp_link_mpi.open != NULL)
        return qp_link_mpi.open();
    if (baseline_rank() > 0)
        exit(EXIT_GOOD);
    return QP_OK;
}

void ranks_end_all(enum qp_status status, int code)
{
    baseline_end_all(status, code, qp_error());
}

/* ---- Devices ---- */

const char *ranks_device(const struct options *options, char name[16])
{
    struct qp_candidate list[QP_DISPLAYS];
    int gpus = 0;
    if (!is_joined() || options_names_device(options))
        return options->device;
    const int count = qp_display_candidates("auto", list);
    for (int i = 0; i < count; i++) {
        if (list[i].index >= 0 && !list[i].software)
            list[gpus++] = list[i];
    }
    if (gpus < 2)
        return NULL;
    snprintf(name, 16, "%d", list[qp_link_mpi.node_rank() % gpus].index);
    return name;
}

/* Prints the devices of all processes, those of neighbours with the same in one line. */
static void print_devices(FILE *table, const char (*device)[CMD_DEVICE], int ranks)
{
    enum { MOST = 16 };
    int lines = 0;
    for (int first = 0, next; first < ranks && lines < MOST; first = next, lines++) {
        next = first + 1;
        while (next < ranks && strcmp(device[next], device[first]) == 0)
            next++;
        if (next == first + 1)
            fprintf(table, "rank %d: %s\n", first, device[first]);
        else
            fprintf(table, "ranks %d to %d: %s\n", first, next - 1, device[first]);
    }
}

static void name_device(struct qp_context *context, char text[CMD_DEVICE])
{
    const int ordinal = qp_context_cuda_ordinal(context);
    char number[32] = "";
    if (ordinal >= 0)
        snprintf(number, sizeof number, ", CUDA's device %d", ordinal);
    snprintf(text, CMD_DEVICE, "%s%s", qp_context_device(context)->renderer, number);
}

static enum qp_status tell_devices(FILE *table, struct qp_context *context)
{
    const int ranks = qp_link_mpi.ranks();
    char(*device)[CMD_DEVICE] = qp_alloc_zero((size_t)ranks, sizeof *device, "names of devices");
    size_t *first = qp_alloc((size_t)ranks, 2 * sizeof *first, "places of names"), *bytes;
    enum qp_status status = device != NULL && first != NULL ? QP_OK : QP_NO_MEMORY;
    status = qp_link_mpi.agree(status);
    if (status == QP_OK) {
        bytes = first + ranks;
        for (int k = 0; k < ranks; k++) {
            first[k] = (size_t)k * sizeof *device;
            bytes[k] = sizeof *device;
        }
        name_device(context, device[qp_link_mpi.rank()]);
        qp_link_mpi.join(device, first, bytes);
        print_devices(table, (const char(*)[CMD_DEVICE])device, ranks);
    }
    free(device);
    free(first);
    return status;
}

enum qp_status ranks_share_context(const struct options *options, struct qp_context **context,
                                   char *why, size_t size)
{
    if (!is_joined())
        return QP_OK;
    if (*context == NULL)
        qp_fail(QP_NO_DEVICE, "%s", why);
    if (qp_link_mpi.agree(*context == NULL ? QP_NO_DEVICE : QP_OK) == QP_OK)
        return tell_devices(options->table, *context);
    snprintf(why, size, "%s", qp_error());
    qp_context_destroy(context);
    return QP_OK;
}
