/* SPDX-License-Identifier: MIT */
/* quadpass generate: programs of kernel files, which need nothing of ours. */
#include "tools/cmd/cmd.h"

#include <stdio.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/base/text.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/style.h"
#include "tools/stencil/conf.h"
#include "tools/stencil/machine.h"
#include "tools/stencil/stencil.h"

/* Writes programs as the tuner found them here, and says so. */
static enum qp_status write_programs(struct qp_stencil *stencil, const char *machine,
                                     const char *folder)
{
    char values[QP_WINNER_LETTERS];
    const bool all = strcmp(machine, "all") == 0;
    bool known = false;
    enum qp_status status = QP_OK;
    for (int writes = 0; writes < 2; writes++) { /* all are looked at before one is written */
        for (int k = 0; qp_stencil_target(k) != NULL && status == QP_OK; k++) {
            const char *target = qp_stencil_target(k);
            const bool is = all ? qp_stencil_has(stencil, target) : strcmp(machine, target) == 0;
            if (is && writes) {
                status = qp_build_tune(stencil, target, values);
                style_say(target, values);
            }
            if (is && status == QP_OK)
                status = (writes ? qp_stencil_write : qp_stencil_look)(stencil, target, folder);
            known = known || is;
        }
    }
    return known ? status
                 : qp_fail(QP_BAD_USE,
                           "--target takes c, compute, cuda, gl, gpus, hybrid, mpi or all, not "
                           "'%s'",
                           machine);
}

/* Says where blocks of CUDA are not those that are asked for. */
static void say_blocks(struct qp_stencil stencil, const char *machine)
{
    char text[512] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    stencil.target = strcmp(machine, "all") == 0 ? "cuda" : machine;
    if (out != NULL)
        qp_stencil_put_blocks(&stencil, out);
    if (out != NULL)
        fclose(out);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        sentence_say("%s: %s", stencil.file_name, line);
}

static enum qp_status generate(const struct options *options)
{
    struct qp_kernel_file *file = NULL;
    struct qp_stencil stencil;
    struct qp_conf conf = {.target = NULL};
    const char *path = options->words[0], *end = strrchr(path, '.');
    enum qp_status status = QP_OK;
    if (end != NULL && strcmp(end, ".conf") == 0)
        status = qp_conf_read(path, &conf, &file);
    if (status == QP_OK)
        status = cmd_kernel_file(options, path, &file);
    if (status == QP_OK)
        status = qp_stencil_read(file, &stencil);
    if (status == QP_OK)
        stencil.is_untuned = options->untuned || qp_kernel_file_sync(file)->number > 0;
    const char *folder = options->folder != NULL ? options->folder : conf.directory,
               *asked = options->machine != NULL ? options->machine : conf.target,
               *machine = asked != NULL ? asked : "all";
    if (status == QP_OK && options->print)
        fputs(file->text, stdout);
    else if (status == QP_OK && folder[0] == '\0')
        status = qp_fail(QP_BAD_USE, "generate takes a folder, such as -o heat, or --print");
    else if (status == QP_OK)
        status = qp_text_check_name("the folder", folder);
    if (status == QP_OK && !options->print)
        status = write_programs(&stencil, machine, folder);
    if (status == QP_OK && !options->print)
        say_blocks(stencil, machine);
    qp_kernel_file_destroy(&file);
    return status;
}

enum qp_status cmd_generate(struct options *options, struct command *command)
{
    (void)command;
    if (options->word_count == 0 || (options->print && options->folder != NULL))
        return qp_fail(
            QP_BAD_USE,
            "generate takes a kernel file and a folder or --print, as in heat.frag -o heat");
    return generate(options);
}
