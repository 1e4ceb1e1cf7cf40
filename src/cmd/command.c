/* SPDX-License-Identifier: MIT */
/* The frame of a command: its options before it, its context and its exit code after it. */
#include "cmd/cmd.h"

int command_run(int argc, char **argv, const struct options_form *form,
                enum qp_status (*run)(struct options *options, struct command *command))
{
    struct options options;
    struct command command = {.code = EXIT_GOOD};
    options_read(argc, argv, form, &options);
    const enum qp_status status = run(&options, &command);
    qp_context_destroy(&command.context);
    return status == QP_OK ? command.code : cmd_failed(status);
}

enum qp_status command_end(struct command *command, int code)
{
    command->code = code;
    return QP_OK;
}

enum qp_status command_open(struct command *command, const struct options *options,
                            const struct qp_variant *const rows[], int count)
{
    return cmd_open(options, rows, count, &command->context, command->why, sizeof command->why);
}
