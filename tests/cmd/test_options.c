/* SPDX-License-Identifier: MIT */
/* Lines of options: how each is read, or the sentence that refuses it, to the letter. */
/* wrap: fake_*s.c */
#include "support/fake_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/ops/table.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/options.h"

static void print_text(const char *name, const char *value)
{
    if (value != NULL)
        printf("  %s '%s'\n", name, value);
}

static void print_number(const char *name, double value)
{
    if (value != 0.0)
        printf("  %s %.10g\n", name, value);
}

/* All that is set. */
static void print_options(const struct options *o)
{
    print_text("variant", o->variant), print_text("problem", o->problem);
    print_text("device", o->device), print_text("json", o->json), print_text("csv", o->csv);
    print_text("junit", o->junit), print_text("tap", o->tap);
    print_text("output", o->output), print_text("start", o->start);
    print_text("picture", o->picture), print_text("folder", o->folder);
    print_text("frames", o->frames), print_text("reference", o->head.check);
    print_text("method", o->method), print_text("rhs", o->rhs);
    print_text("checkpoint", o->checkpoint), print_text("resume", o->resume);
    for (int i = 0; i < o->head.arrays; i++) {
        print_text("array", o->head.array[i].name);
        print_text("from", o->head.array[i].from);
        if (o->head.array[i].has_outside)
            printf("  outside %d, %g\n", o->head.array[i].outside, o->head.array[i].outside_value);
    }
    for (int i = 0; i < o->head.numbers; i++) {
        print_text("number", o->head.number[i].name);
        for (int k = 0; k < o->head.number[i].values; k++)
            printf("  value %g\n", o->head.number[i].value[k]);
    }
    for (int i = 0; i < o->word_count; i++)
        print_text("word", o->words[i]);
    for (int i = 0; i < o->parameter_count; i++)
        printf("  parameters %d\n", o->parameters[i]);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"width", o->width},
                   {"height", o->height},
                   {"grid width", o->grid_width},
                   {"grid height", o->grid_height},
                   {"iterations", o->iterations},
                   {"iterations given", o->iterations > 0},
                   {"repeats", o->repeats},
                   {"seed but 1", (double)o->seed - 1.0},
                   {"pingpong", o->pingpong},
                   {"target", o->target},
                   {"group x", o->group_x},
                   {"group y", o->group_y},
                   {"block", o->block},
                   {"parameter but -1", o->parameter + 1},
                   {"all parameters", o->all_parameters},
                   {"all problems", o->all_problems},
                   {"all pingpongs", o->all_pingpongs},
                   {"all targets", o->all_targets},
                   {"all groups", o->all_groups},
                   {"all blocks", o->all_blocks},
                   {"require gl", o->require_gl},
                   {"require cuda", o->require_cuda},
                   {"require blas", o->require_blas},
                   {"markdown", o->markdown},
                   {"long", o->wordy},
                   {"paper", o->paper},
                   {"files of records", o->from_count},
                   {"budget", o->budget},
                   {"stall", o->stall},
                   {"parts", o->parts.count},
                   {"depth", o->parts.depth},
                   {"split", o->parts.split},
                   {"alpha", o->parts.alpha},
                   {"slow", o->parts.slow},
                   {"double", o->in_double},
                   {"every", o->every},
                   {"seed given", o->seed_given},
                   {"kinds", o->kinds},
                   {"all", o->all},
                   {"weight", o->weight},
                   {"tolerance", o->tolerance},
                   {"condition", o->condition},
                   {"max iterations", o->max_iterations},
                   {"refine", o->refine},
                   {"text", o->text},
                   {"steps", o->head.steps},
                   {"each", o->each},
                   {"has outside", o->head.has_outside},
                   {"outside", o->head.outside},
                   {"outside value", o->head.outside_value},
                   {"reduction", o->reduction},
                   {"watch", o->watch},
                   {"fast", o->fast},
                   {"judged", o->judged},
                   {"table on standard error", o->table == stderr}};
    for (int i = 0; i < COUNT(numbers); i++)
        print_number(numbers[i].name, numbers[i].value);
}

static int parse(int argc, char **argv)
{
    struct options options;
    const int code = options_parse(command_rows, argc, argv, &options);
    if (code < 0)
        print_options(&options);
    return code;
}

static void read_lines(const char *const lines[], int count)
{
    for (int i = 0; i < count; i++)
        fake_append(parse, lines[i]);
}

TEST(values)
{
    static const char *const lines[] = {
        "list",
        "list --long a b --markdown --json r --csv s",
        "list -- --long -",
        "check --size 12 --iterations 3 --seed 0 --weight 1.5 --condition 1 --parameter 7",
        "check --size 12x34 --seed 2147483647 --require gl --tol 0",
        "check -n 5 --require cuda,blas --problem random --variant x --device 007",
        "check -n5x6 --require ,gl,, --device nvidia --pingpong copy --target 2d",
        "check --junit a.xml --tap -",
        "check --device auto --pingpong two_fbos --target rect --json - a",
        "bench --pingpong all --target all --group all --block all --repeats 9",
        "bench --pingpong reattach --group 16x8 --block 12 --problem all --parameter all",
        "bench --parameter 1,2,33 --problem sum",
        "bench --parameter all --parameter 4 --problem all --problem max --block all --block 3",
        "bench --iter 4 --rep 2 --tar all --para 3",
        "list --prob random --var x",
        "bench --paper 4 --budget 0.5 --csv -",
        "bench --paper 4 --from a.json --from b.json --markdown",
        "bench --paper 2 --budget 1e1 --iterations 4 --size 64",
        "walk rgba --text --condition 1e4",
        "shaders -o there a",
        "shaders --write there",
        "solve a b --grid 30x20 --tolerance 0.99 --max-iterations 1 --refine --x0 c -o x",
        "solve a --picture - -o x --weight 1.999",
        "solve - --output /dev/stdout --iterations 2",
        "solve --tolerance=1e-9 --grid=3x4 a",
        "solve poisson5 --method sor --double --rhs f --checkpoint c --resume c --every 2.5",
        "solve a --checkpoint c --every 0 --parts 3 --depth 4 --split 5 --stall 7",
        "check --split 0 --alpha 0",
        "model --slow 2",
        "list --kinds",
        "invert a --output - --refine --tolerance .5",
        "demo a b -n 9 --require gl,cuda,blas --json r",
        "run a.frag --size 3x2 --seed 4 --steps 7 --device 0 --outside wrap --watch",
        "run a.frag --input x=a.npy --input _b9=zeros --set c=1 --set d=-1,2.5e3,.5 --outside -2.5",
        "run a.frag --steps 9 --every 3 --frames there --reduce largest -o x.png --json r",
        "run a.frag --every 3 --reduce sum --check a.c --tolerance 1e-3 --outside clamp -o -",
        "run --check a.frag --outside b=wrap --outside 3 --input b=ones",
        "run a.frag --check=ref --fast"};
    read_lines(lines, COUNT(lines));
    setenv("QUADPASS_REQUIRE", "blas,cuda", 1);
    fake_append(parse, "list");
    fake_append(parse, "check --require gl");
    setenv("QUADPASS_REQUIRE", "gl,abacus", 1);
    fake_append(parse, "list");
    unsetenv("QUADPASS_REQUIRE");
    options_silent = true; /* another process writes the files */
    fake_append(parse, "check --json a --csv b --junit c --tap d");
    fake_append(parse, "solve a -o b --picture p.png --checkpoint c --every 3");
    options_silent = false;
    fake_compare_all("options");
}

/* Each line of the table after "$". */
TEST(refusals)
{
    char line[512];
    int lines = 0;
    FILE *table = fopen(QP_SOURCE_DIR "/tests/cmd/tables/options_refused.txt", "r");
    assert_non_null(table);
    while (fgets(line, sizeof line, table) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "$ ", 2) == 0) {
            fake_append(parse, line + 2);
            lines++;
        }
    }
    fclose(table);
    assert_true(lines > 130);
    fake_compare_all("options_refused");
}

/* No letter but n, o and those of help. */
TEST(letters)
{
    char line[] = "check -x";
    for (int c = 1; c < 128; c++) {
        if (strchr("no?V-\n\t ", c) != NULL)
            continue;
        line[7] = (char)c;
        if (strstr(fake_command(parse, line), "quadpass check: there is no option -") == NULL)
            fail_msg("-%c, %d, is an option", c, c);
    }
}

/* An option more than there is room for. */
TEST(many_of_them)
{
    struct options options;
    char check[] = "check", a[] = "a", *words[MOST_WORDS + 2] = {check};
    for (int i = 1; i < COUNT(words); i++)
        words[i] = a;
    assert_int_equal(options_parse(command_rows, MOST_WORDS + 1, words, &options), -1);
    assert_int_equal(options.word_count, MOST_WORDS);
    assert_int_equal(options_parse(command_rows, MOST_WORDS + 2, words, &options), 2);
    char list[2 * MOST_PARAMETERS + 2] = "";
    char bench[] = "bench", option[] = "--parameter", *asked[] = {bench, option, list};
    for (int i = 0; i < MOST_PARAMETERS; i++)
        strcat(list, i > 0 ? ",3" : "3");
    assert_int_equal(options_parse(command_rows, 3, asked, &options), -1);
    assert_int_equal(options.parameter_count, MOST_PARAMETERS);
    strcat(list, ",3");
    assert_int_equal(options_parse(command_rows, 3, asked, &options), 2);
}

/* The kinds of every operation, the first and the last among them. */
TEST(every_kind_is_a_problem)
{
    char check[] = "check", option[] = "--problem", name[64];
    char *words[] = {check, option, name};
    struct options options;
    for (size_t i = 0; qp_op_at(i) != NULL; i++) {
        for (const struct qp_kind *kind = qp_op_at(i)->kinds; kind->name != NULL; kind++) {
            snprintf(name, sizeof name, "%s", kind->name);
            assert_int_equal(options_parse(command_rows, 3, words, &options), -1);
            assert_string_equal(options.problem, kind->name);
        }
    }
}

/* Each option with the commands that take it, and help with its value. */
static int print_rows(int argc, char **argv)
{
    (void)argc, (void)argv;
    for (const struct option_row *row = option_rows; row->text != NULL; row++) {
        printf("%s%s %s:", row->name != NULL ? row->name : "-", row->name != NULL ? "" : "n",
               row->value != NULL ? row->value : "");
        for (const struct command_row *c = command_rows; c->name != NULL; c++) {
            if ((row->commands & c->set) != 0)
                printf(" %s", c->name);
        }
        puts("");
    }
    return 0;
}

/* A row says how it is taken, or one above it of its name does. */
static void check_taken(const struct option_row *row)
{
    const struct option_row *how = row;
    while (how > option_rows && (how->take == NULL || !option_is_same(how, row)))
        how--;
    assert_true(how->take != NULL && option_is_same(how, row));
}

TEST(rows_of_the_list)
{
    for (const struct option_row *row = option_rows; row->text != NULL; row++) {
        if ((row->commands & IN_HELP) == 0)
            check_taken(row);
    }
    fake_append(print_rows, "rows");
    fake_append(parse, "shaders --usage");
    fake_append(parse, "walk rgba --help");
    fake_append(parse, "info -V");
    fake_compare_all("options_list");
}

static int go_to_a_folder(void **state)
{
    (void)state;
    unsetenv("QUADPASS_REQUIRE");
    if (system("mkdir -p " QP_BUILD_DIR "/tests/options && touch " QP_BUILD_DIR
               "/tests/options/Makefile") != 0)
        return -1;
    return chdir(QP_BUILD_DIR "/tests/options");
}

GROUP(go_to_a_folder, NULL)
