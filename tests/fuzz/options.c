/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <string.h>

#include "tools/cmd/options.h"

enum { MOST_BYTES = 4096, MOST_ARGUMENTS = 96 };

/* Commands whose words and options are read, and that do nothing else. */
#define COMMAND(is, bit, takes)                                                                \
    {                                                                                          \
        .name = (is), .set = (bit), .words = (takes), .purpose = "Reads.", .examples = "None." \
    }

static const struct command_row commands[] = {COMMAND("check", IN_CHECK, "[PATTERN...]"),
                                              COMMAND("info", IN_INFO, NULL),
                                              COMMAND("bench", IN_BENCH, "[PATTERN...]"),
                                              COMMAND("solve", IN_SOLVE, "A.mtx [b.mtx]"),
                                              COMMAND("invert", IN_INVERT, "A.mtx"),
                                              COMMAND("run", IN_RUN, "SHADER.frag"),
                                              {.name = NULL}};

/* Options given to run can be read as a name and a value, each name once. */
static void check_run(const struct options *o)
{
    const struct qp_kernel_file_head *head = &o->head;
    PROMISE(head->arrays >= 0 && head->arrays <= QP_KERNEL_INPUTS);
    PROMISE(head->numbers >= 0 && head->numbers <= QP_KERNEL_NUMBERS);
    for (int i = 0; i < head->arrays; i++)
        PROMISE(head->array[i].name[0] != '\0' &&
                (head->array[i].from != NULL || head->array[i].has_outside));
    for (int i = 0; i < head->numbers; i++)
        PROMISE(head->number[i].name[0] != '\0' && head->number[i].values > 0);
    PROMISE(head->steps >= 0 && o->each >= 0 && (unsigned)head->outside <= QP_OUTSIDE_VALUE);
    PROMISE((unsigned)o->reduction < REDUCTIONS && (o->frames == NULL || o->each > 0));
}

static void check_options(const struct options *o)
{
    PROMISE(!o->refused);
    PROMISE(o->width >= 0 && o->height >= 0 && (o->width > 0) == (o->height > 0));
    PROMISE(o->grid_width >= 0 && o->grid_height >= 0);
    PROMISE(o->iterations >= 0 && o->repeats >= 0 && o->max_iterations >= 0);
    PROMISE(o->condition == 0.0 || o->condition >= 1.0);
    PROMISE(o->block >= 0 && o->paper >= 0 && o->paper <= PAPERS && o->budget >= 0.0);
    PROMISE(o->parameter_count >= 0 && o->parameter_count <= MOST_PARAMETERS);
    PROMISE(o->weight >= 0.0 && o->weight < 2.0 && o->tolerance >= 0.0);
    PROMISE(o->all_pingpongs || (unsigned)o->pingpong < QP_PINGPONG_STYLES);
    PROMISE(o->all_targets || (unsigned)o->target <= QP_2D);
    PROMISE(o->word_count >= 0 && o->word_count <= MOST_WORDS);
    PROMISE(o->command->words != NULL || o->word_count == 0);
    check_run(o);
    PROMISE(o->table != NULL && strlen(o->command_line) < sizeof o->command_line);
}

void fuzz_options(const uint8_t *bytes, size_t size)
{
    char text[MOST_BYTES + 1];
    char *argv[MOST_ARGUMENTS + 1];
    int argc = 0;
    if (size > MOST_BYTES)
        return;
    memcpy(text, bytes, size);
    text[size] = '\0';
    for (char *at = text; argc < MOST_ARGUMENTS && (argc == 0 || *at != '\0');) {
        size_t length = strcspn(at, "\n");
        argv[argc++] = at;
        at += length + (at[length] == '\n');
        argv[argc - 1][length] = '\0';
    }
    argv[argc] = NULL;
    char check[] = "check";
    if (command_find(commands, argc, argv) == NULL)
        argv[0] = check;
    struct options options;
    int code = options_parse(commands, argc, argv, &options);
    PROMISE(code == -1 || code == EXIT_GOOD || code == EXIT_USAGE);
    if (code == -1)
        check_options(&options);
}
