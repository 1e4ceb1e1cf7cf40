/* SPDX-License-Identifier: MIT */
#include "cmd/cmd.h"

#include <malloc.h>
#include <string.h>

#include "baseline/baseline.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text;
} commands[] = {
    {"list", cmd_list, "every variant, where it comes from and what it does"},
    {"info", cmd_info, "the OpenGL device and what it can do, found by doing it"},
    {"check", cmd_check, "run variants against the reference"},
    {"bench", cmd_bench, "check and time variants, interleaved"},
    {"accuracy", cmd_accuracy, "how far rounding takes variants from double, step by step"},
    {"walk", cmd_walk, "follow one small matrix through the ten rooms"},
    {"solve", cmd_solve, "solve a system from a Matrix Market file"},
    {"invert", cmd_invert, "invert a matrix from a Matrix Market file"},
    {"demo", cmd_demo, "the story of two papers in under a minute"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *out)
{
    fputs("Usage: quadpass COMMAND [OPTION...]\n"
          "General-purpose computing through the classic OpenGL pipeline.\n\n",
          out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].text);
    fputs("\n'quadpass COMMAND --help' lists a command's options; --version prints the version.\n",
          out);
}

/* Walk after walk takes and gives back the same blocks. What is given back to the system comes again
 * page by page, each cleared and perhaps fetched from a host that took it away, so the C library
 * keeps it; but not the largest blocks, since what it keeps has gaps. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    enum { LARGEST = 1 << 29 };
    if (mallopt(M_MMAP_THRESHOLD, LARGEST) == 1)
        mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

int main(int argc, char **argv)
{
    keep_memory();
    baseline_lend();
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
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    }
    fprintf(stderr, "quadpass: there is no command '%s'; 'quadpass --help' lists them\n", argv[1]);
    return EXIT_USAGE;
}
