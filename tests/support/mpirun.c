/* SPDX-License-Identifier: MIT */
#include "support/mpirun.h"

#include <stdlib.h>

#include "lab/baseline/baseline.h"
#include "lab/engines/parts/link.h"
#include "support/support.h"
#include "toolkit/base/status.h"

void need_mpirun(void)
{
    baseline_lend_mpi();
    if (qp_link_mpi.open == NULL) {
        qp_fail(QP_UNSUPPORTED, "built without MPI");
        support_skip("mpi");
    }
    if (system("command -v mpirun >/dev/null") != 0) {
        qp_fail(QP_UNSUPPORTED, "there is no mpirun; install openmpi-bin");
        support_skip("mpi");
    }
}
