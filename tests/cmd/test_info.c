/* SPDX-License-Identifier: MIT */
/* Output of info about a device, in lines and records, to the letter. */
/* wrap: fake_*s.c */
#include "support/fake_runs.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "tools/cmd/cmd.h"

void __real_cmd_device(struct qp_context *context, const struct qp_record *records, int count,
                       char text[CMD_DEVICE]);

static struct qp_cuda card = {.name = "a card",
                              .major = 9,
                              .minor = 1,
                              .multiprocessors = 132,
                              .driver = 13020,
                              .runtime = 12040};

static void info(const char *line)
{
    fake.opens = true;
    fake_append(command_run, line);
}

TEST(a_device)
{
    fake.card = &card;
    info("info");
    card.runtime = 13000, card.driver = 12080;
    fake.card = &card;
    info("info");
    card.runtime = 12040, card.driver = 13020;
    info("info --device llvmpipe --csv -");
    fake_append(command_run, "info");
    fake_compare_all("info");
}

/* Date, commit and processor are those of here. */
TEST(its_tree)
{
    fake.opens = true;
    fake.card = &card;
    char *text = strdup(fake_command(command_run, "info --json -")),
         *at = strstr(text, "\t\"cpu\":");
    assert_non_null(at);
    memmove(at, strstr(at, "\t\"command\""), strlen(strstr(at, "\t\"command\"")) + 1);
    at = strstr(at, "\t\"date\":");
    assert_non_null(at);
    memmove(at, strchr(at, '\n') + 1, strlen(strchr(at, '\n') + 1) + 1);
    fake_compare("info_json", text);
    free(text);
}

/* CUDA's device comes after OpenGL's where variants ran on it and OpenGL's is another one. */
TEST(names_of_devices)
{
    const struct qp_variant *cuda = qp_variant_find("jacobi9/cuda_simple");
    const struct qp_record ran[] = {{.variant = qp_variant_find("jacobi9/rgba"),
                                     .verdict = QP_PASS},
                                    {.variant = cuda, .verdict = QP_FAIL}},
                           skipped = {.variant = cuda, .verdict = QP_SKIP};
    struct qp_context *context = (struct qp_context *)&fake;
    char name[CMD_DEVICE];
    fake.card = &card;
    fake.ordinal = -1;
    __real_cmd_device(context, ran, 2, name);
    assert_string_equal(name, "a lamp, a card");
    __real_cmd_device(NULL, ran, 2, name);
    assert_string_equal(name, "a card");
    __real_cmd_device(context, ran, 1, name);
    assert_string_equal(name, "a lamp");
    __real_cmd_device(NULL, &skipped, 1, name);
    assert_string_equal(name, "");
    fake.ordinal = 0;
    __real_cmd_device(context, ran, 2, name);
    assert_string_equal(name, "a lamp");
    fake.ordinal = -1;
    fake.card = NULL;
    __real_cmd_device(context, ran, 2, name);
    assert_string_equal(name, "a lamp");
}

static int allowance;

static void *allocate(size_t size)
{
    return allowance-- > 0 ? malloc(size) : NULL;
}

/* Every way out for want of memory, of these commands' records. */
TEST(records_without_memory)
{
    static const char *const lines[] = {"info --json -", "info --csv -",
                                        "list jacobi9/rgba gauss_jordan/sgesv --json -",
                                        "list jacobi9/rgba gauss_jordan/sgesv --csv -"};
    for (int i = 0; i < COUNT(lines); i++) {
        int enough = 0;
        for (bool good = false; !good; enough++) {
            fake.opens = true;
            allowance = enough;
            cJSON_InitHooks(&(cJSON_Hooks){allocate, free});
            const char *text = fake_command(command_run, lines[i]);
            cJSON_InitHooks(NULL);
            good = strstr(text, "\n= 0\n") != NULL;
            assert_true(good || (strstr(text, "quadpass: no memory for the records\n") != NULL &&
                                 strstr(text, "= 3\n") != NULL));
        }
        assert_true(enough > 30);
    }
}

static void all_commands(void)
{
    fake.opens = true;
    fake_command(command_run, "info --json -");
    fake.opens = true;
    fake_command(command_run, "info");
    fake_command(command_run, "info");
}

TEST(nothing_is_left)
{
    fake_leaves_nothing(all_commands);
}
