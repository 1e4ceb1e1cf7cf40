/* SPDX-License-Identifier: MIT */
/* quadpass tune: the fastest configuration of a kernel, searched for here or in a space that was
 * recorded. */
#include <string.h>

#include "toolkit/base/status.h"
#include "tools/cmd/tune/live.h"

enum qp_status cmd_tune(struct options *options, struct command *command)
{
    if ((options->word_count == 0) == (options->simulate == NULL))
        return qp_fail(QP_BAD_USE,
                       "tune takes a kernel file or a variant, or a recorded space by --simulate");
    if ((options->list && options->output != NULL) ||
        (options->simulate != NULL && (options->machine != NULL || options->width > 0)))
        return qp_fail(QP_BAD_USE,
                       "--list writes no -o, and a recorded space has a --target and a --size of "
                       "its own");
    cmd_catch_interrupt();
    const bool live = options->simulate == NULL && (options_is_kernel_file(options->words[0]) ||
                                                    strstr(options->words[0], ".conf") != NULL);
    return (options->simulate != NULL ? tune_recorded : live ? tune_live : tune_variant)(command);
}
