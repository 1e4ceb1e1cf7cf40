/* SPDX-License-Identifier: MIT */
#include "cmd/tune/live.h"

#include "base/status.h"

int tune_live(const struct options *options)
{
    return cmd_failed(qp_fail(QP_UNSUPPORTED,
                              "%s cannot be tuned here yet; --simulate SPACE.json searches a "
                              "recorded space",
                              options->words[0]));
}
