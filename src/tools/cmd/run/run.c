/* SPDX-License-Identifier: MIT */
/* `quadpass run`: a fragment shader of the user's over arrays from files, step after step. */
#include <sys/stat.h>
#include <time.h>

#include "toolkit/base/status.h"
#include "toolkit/kernel_file/kernel_file.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/run/once.h"

/* ---- Runs that follow the shader's file ---- */

/* Pause between two looks at a file, and time that it must stay unchanged: editors write a file in
 * several pieces, or put another one in its place. */
static const struct timespec pause_between = {.tv_nsec = 50000000};

/* The marks of a file that change when it is saved; all zero while it is not there. */
struct stamp {
    ino_t inode;
    off_t bytes;
    struct timespec time;
};

static struct stamp stamp_of(const char *path)
{
    struct stat file;
    if (path == NULL || stat(path, &file) != 0)
        return (struct stamp){0};
    return (struct stamp){file.st_ino, file.st_size, file.st_mtim};
}

static bool is_same(const struct stamp *one, const struct stamp *other)
{
    return one->inode == other->inode && one->bytes == other->bytes &&
           one->time.tv_sec == other->time.tv_sec && one->time.tv_nsec == other->time.tv_nsec;
}

/* The files of a run: those that the words name, all in turn, the reference, and for each in turn
 * those that it includes. */
enum { IN_TURN = 2 * QP_KERNEL_TURNS + 1, STAMPS = IN_TURN + QP_KERNEL_TURNS * QP_KERNEL_INCLUDED };
struct stamps {
    struct stamp of[STAMPS];
};

static struct stamps look(const struct options *options)
{
    struct stamps stamps = {{{0}}};
    struct stamp *reference = &stamps.of[2 * QP_KERNEL_TURNS], *next = stamps.of;
    struct qp_kernel_file *file = NULL;
    for (int k = 0; k < options->word_count && k < QP_KERNEL_TURNS; k++)
        *next++ = stamp_of(options->words[k]);
    *reference = stamp_of(options->head.check);
    if (cmd_read_files(options, &file) == QP_OK && options->judged && options->head.check == NULL)
        *reference = stamp_of(file->head.check);
    next = stamps.of + QP_KERNEL_TURNS;
    struct stamp *included = stamps.of + IN_TURN;
    for (const struct qp_kernel_file *at = file; at != NULL; at = at->next) {
        *next++ = stamp_of(at->path);
        for (int k = 0; qp_kernel_file_included(at, k) != NULL; k++)
            *included++ = stamp_of(qp_kernel_file_included(at, k));
    }
    qp_kernel_file_destroy(&file);
    return stamps;
}

static bool are_same(const struct stamps *one, const struct stamps *other)
{
    bool same = true;
    for (int k = 0; k < STAMPS; k++)
        same = same && is_same(&one->of[k], &other->of[k]);
    return same;
}

/* Waits until a file is another one than at `before`, and whole. */
static void wait_for_save(const struct options *options, const struct stamps *before)
{
    struct stamps last = *before, now = *before;
    while (!cmd_interrupted &&
           (are_same(&now, before) || !are_same(&now, &last) || now.of[0].inode == 0)) {
        nanosleep(&pause_between, NULL);
        last = now;
        now = look(options);
    }
}

/* Runs at once, and again whenever the shader or the reference is saved, until an interrupt; a run
 * that fails says so and is followed by others. */
static enum qp_status run_watched(const struct options *options, struct command *command)
{
    struct qp_context *context = command->context;
    sentence_say("%s runs again whenever it is saved; Ctrl-C ends this", options->words[0]);
    while (!cmd_interrupted) {
        const struct stamps before = look(options);
        enum qp_verdict verdict;
        if (run_once(options, context, &verdict) != QP_OK)
            cmd_failed(QP_BAD_INPUT);
        fflush(options->table);
        if (!cmd_interrupted && context != NULL && qp_context_is_lost(context))
            return QP_DEVICE;
        wait_for_save(options, &before);
    }
    return command_end(command, EXIT_FAILED);
}

/* ---- The command ---- */

static enum qp_status run_and_judge(const struct options *options, struct command *command)
{
    enum qp_verdict verdict;
    const enum qp_status status = run_once(options, command->context, &verdict);
    if (status != QP_OK || !options->judged)
        return status;
    command->verdicts[verdict]++;
    return command_end(command, cmd_count(options->table, command->verdicts));
}

enum qp_status cmd_run(struct options *options, struct command *command)
{
    if (options->word_count == 0)
        return qp_fail(QP_BAD_USE, "run takes a shader, such as life.frag");
    enum qp_status status = outcome_check(options, &options->head);
    if (status != QP_OK)
        return status;
    cmd_catch_interrupt();
    if (options->backends == 0 || (options->backends & 1u << BACKEND_GL) != 0)
        status = command_open_for(command, NULL);
    if (status != QP_OK)
        return status;
    return (options->watch ? run_watched : run_and_judge)(options, command);
}
