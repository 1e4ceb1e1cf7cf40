/* SPDX-License-Identifier: MIT */
/* quadpass generate: programs of kernel files, which need nothing of ours. */
#include "cmd/cmd.h"

#include <string.h>

#include "base/status.h"
#include "cmd/output/sentence.h"
#include "stencil/stencil.h"

static enum qp_status generate(const struct options *options)
{
    struct qp_kernel_file *file = NULL;
    struct qp_stencil stencil;
    const char *machine = options->machine != NULL ? options->machine : "c";
    if (strcmp(machine, "c") != 0)
        return qp_fail(QP_BAD_USE, "--target takes c, not '%s'", machine);
    enum qp_status status = cmd_kernel_file(options, options->words[0], &file);
    if (status == QP_OK)
        status = qp_stencil_read(file, &stencil);
    if (status == QP_OK)
        status = qp_stencil_write(&stencil, machine, options->folder);
    qp_kernel_file_destroy(&file);
    return status;
}

int cmd_generate(int argc, char **argv)
{
    static const struct options_form form = {
        "generate", "FILE.frag",
        "Writes a program that computes a kernel file in the short form, with the same numbers: "
        "its "
        "sources, a Makefile, a page, and a check against a reference of its own. It needs nothing "
        "of quadpass."};
    struct options options;
    options_read(argc, argv, &form, &options);
    if (options.word_count == 0 || options.folder == NULL) {
        sentence_say("generate takes a kernel file and a folder, such as heat.frag -o heat");
        return EXIT_USAGE;
    }
    const enum qp_status status = generate(&options);
    return status == QP_OK ? EXIT_GOOD : cmd_failed(status);
}
