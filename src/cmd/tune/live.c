/* SPDX-License-Identifier: MIT */
#include "cmd/tune/live.h"

#include "base/status.h"

enum qp_status tune_live(const struct options *options, struct tune_kernel *out)
{
    *out = (struct tune_kernel){.user = NULL};
    return qp_fail(QP_UNSUPPORTED,
                   "%s cannot be tuned live yet; --simulate SPACE.json searches a recorded space",
                   options->words[0]);
}
