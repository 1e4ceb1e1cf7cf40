/* SPDX-License-Identifier: MIT */
#include "tools/cmd/cmd.h"

#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../templates/c/cores.h"
#include "lab/baseline/baseline.h"
#include "toolkit/base/status.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/output/terminal.h"
#include "tools/cmd/ranks.h"

static void print_help(FILE *out)
{
    fputs("Usage: quadpass COMMAND [OPTION...]\n"
          "General-purpose computing through the classic OpenGL pipeline.\n\n",
          out);
    for (const struct command_row *row = command_rows; row->name != NULL; row++)
        fprintf(out, "  %-8s %s\n", row->name, row->summary);
    fputs("\n'quadpass COMMAND --help' lists a command's options; --version prints the version.\n",
          out);
}

/* Walk after walk takes and gives back the same blocks. Memory that is given back to the system
 * comes again page by page, each cleared and perhaps fetched from a host that took it away, so the
 * C library keeps it; but not the largest blocks, since what it keeps has gaps. A start is mostly
 * such pages, so the first ones are asked for as large ones. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    enum { LARGEST = 1 << 29, FIRST = 1 << 28, PAGE = 1 << 21 };
    if (mallopt(M_MMAP_THRESHOLD, LARGEST) != 1)
        return;
    mallopt(M_TRIM_THRESHOLD, -1);
    char *first = malloc(FIRST);
    if (first != NULL)
        (void)madvise(first + PAGE - (uintptr_t)first % PAGE, FIRST - PAGE, MADV_HUGEPAGE);
    free(first);
#endif
}

/* Drivers and thread libraries of others crash, or end the program, where a limit leaves them too
 * little: so it is refused before they are asked. Their threads take most: a stack and an arena
 * each. */
static bool has_room(void)
{
    const double all = 0x1p29 + 0x1p28 * (double)sysconf(_SC_NPROCESSORS_ONLN);
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY ||
        (double)space.rlim_cur >= all)
        return true;
    qp_fail(QP_NO_MEMORY,
            "about %.1f GB of address space are needed for so many processors, and the limit is "
            "%.1f; raise it (ulimit -v)",
            all * 1e-9, (double)space.rlim_cur * 1e-9);
    return false;
}

static int refuse_command(const char *name)
{
    enum { MOST = 32 };
    const char *names[MOST];
    int count = 0;
    for (const struct command_row *row = command_rows; row->name != NULL && count < MOST; row++)
        names[count++] = row->name;
    const bool option = name[0] == '-';
    sentence_say("there is no %s '%s'%s%s; 'quadpass --help' lists them all",
                 option ? "option" : "command", name, option ? " before a command" : "",
                 sentence_hint(name, names, count));
    return EXIT_USAGE;
}

static int run(int argc, char **argv)
{
    const struct command_row *command = command_find(command_rows, argc, argv);
    if (command == NULL)
        return refuse_command(argv[0]);
    if (options_silent && !command->ranks)
        return EXIT_GOOD;
    if (command->does != COMMAND_TELLS && !has_room())
        return cmd_failed(QP_NO_MEMORY);
    if (command->does == COMMAND_SHARES)
        yield_cores(omp_get_max_threads());
    return command_run(argc, argv);
}

static int choose(int argc, char **argv)
{
    sentence_expect(argc, argv);
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return EXIT_GOOD;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("quadpass %s\n", qp_version());
        return EXIT_GOOD;
    }
    return run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    terminal_watch_output();
    ranks_begin();
    setenv("EGL_LOG_LEVEL", "fatal", 0); /* a sentence says what libEGL would say of a driver */
    signal(SIGXFSZ, SIG_IGN); /* above a limit on files write() fails, which a sentence reports */
    keep_memory();
    baseline_lend();
    return ranks_code(choose(argc, argv));
}
