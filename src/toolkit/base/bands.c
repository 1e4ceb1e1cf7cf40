/* SPDX-License-Identifier: MIT */
#include "toolkit/base/bands.h"

#include <math.h>

#include "toolkit/base/caller.h"

enum { CELLS = 1 << 15 /* cells of a band: some 30 us of a core, more than to wake it */ };

size_t qp_band_rows(size_t across)
{
    return across < CELLS ? CELLS / across : 1;
}

double qp_bands(size_t rows, size_t across, qp_band *work, void *user)
{
    const size_t high = qp_band_rows(across);
    const long bands = (long)((rows + high - 1) / high);
    double most = -INFINITY;
    if (bands == 1) /* without a team of one thread, which takes a microsecond to begin */
        return fmax(most, work(user, 0, rows));
    const bool shared = qp_process_check() == QP_OK;
#pragma omp parallel for schedule(dynamic) reduction(max : most) if (shared)
    for (long band = 0; band < bands; band++) {
        const size_t first = (size_t)band * high, end = first + high;
        most = fmax(most, work(user, first, end < rows ? end : rows));
    }
    return most;
}
