/* SPDX-License-Identifier: MIT */
/* Matrices of data/ and the list of opponents, which are built in. */
#ifndef QP_BASELINE_FILES_H
#define QP_BASELINE_FILES_H

#include "toolkit/base/own_files.h"

extern const struct qp_own_file baseline_files[]; /* "west0067.mtx" */

#endif
