/* SPDX-License-Identifier: MIT */
#include "engines/link.h"

struct qp_link qp_link_mpi = {.library = "MPI"};
