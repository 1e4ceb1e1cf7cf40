/* SPDX-License-Identifier: MIT */
/* Output of info about a device, in lines and records, to the letter. */
/* wrap: fake_*s.c */
#include "support/fake_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "support/shell.h"
#include "toolkit/base/status.h"
#include "tools/cmd/cmd.h"

void __real_cmd_device(struct qp_context *context, const struct qp_record *records, int count,
                       char text[CMD_DEVICE]);

static struct qp_cuda card = {.name = "a card",
                              .major = 9,
                              .minor = 1,
                              .multiprocessors = 132,
                              .driver = 13020,
                              .runtime = 12040};

/* ---- Answers of what is measured ---- */

/* The proof that is wrong and the one that the device lacks, or -1; the measure that fails. */
static struct {
    int wrong, lacks;
    enum qp_status proof, precision;
} answers = {-1, -1, QP_OK, QP_OK};

ANSWER(enum qp_status, qp_prove, struct qp_context *context, struct qp_proof *proofs, int count,
       int *wrong)
{
    assert_ptr_equal(context, &fake);
    assert_int_equal(count, QP_PROOFS);
    memset(proofs, 0, (size_t)count * sizeof *proofs);
    *wrong = answers.wrong;
    for (int i = 0; i < count && answers.proof == QP_OK; i++) {
        const bool bad = i == answers.wrong || (answers.wrong >= 0 && i == QP_PROOFS - 1);
        static char names[QP_PROOFS][32];
        snprintf(names[i], sizeof names[i], "proof %d", i + 1);
        proofs[i] = (struct qp_proof){.name = names[i],
                                      .computes = "something",
                                      .status = bad                  ? QP_DEVICE
                                                : i == answers.lacks ? QP_UNSUPPORTED
                                                                     : QP_OK};
        if (proofs[i].status != QP_OK)
            snprintf(proofs[i].sentence, sizeof proofs[i].sentence, "%s %s", names[i],
                     bad ? "gave 2 where 1 is right" : "is beyond this lamp");
    }
    return answers.proof == QP_OK ? QP_OK : qp_fail(answers.proof, "the lamp went out");
}

ANSWER(enum qp_status, qp_function_error, struct qp_context *context, int number,
       struct qp_function_error *out)
{
    assert_ptr_equal(context, &fake);
    if (answers.precision != QP_OK && number == 3)
        return qp_fail(answers.precision, "the lamp went out");
    *out = (struct qp_function_error){.function = number == 4 ? "pow(a, 2.5)" : "f(a)",
                                      .low = number - 5.5,
                                      .high = 1000.0 * number,
                                      .ulps = number == 7 ? (double)INFINITY : 1.25 * number,
                                      .error = 1e-7 * number,
                                      .tolerance = 0x1p-20};
    if (number == 4)
        strcpy(out->sentence, "pow(a, 2.5) is off: give it a tolerance");
    return QP_OK;
}

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

/* Whichever proof is wrong, the exit code is 1, and the first one's sentence comes last. */
TEST(proofs_and_precision)
{
    info("info --prove");
    answers.lacks = 5;
    info("info --prove --precision");
    answers.wrong = 6;
    info("info --precision --prove");
    answers.lacks = -1;
    for (answers.wrong = 0; answers.wrong < QP_PROOFS; answers.wrong++) {
        char sentence[64];
        fake.opens = true;
        snprintf(sentence, sizeof sentence, "\nproof %d gave 2 where 1 is right\n> close\n= 1\n",
                 answers.wrong + 1);
        assert_true(ends_with(fake_command(command_run, "info --prove"), sentence));
    }
    answers.wrong = -1;
    answers.proof = QP_DEVICE;
    info("info --prove");
    answers.proof = QP_OK;
    answers.precision = QP_NO_MEMORY;
    info("info --precision");
    answers.precision = QP_OK;
    fake_append(command_run, "info --prove");
    fake_compare_all("info_measured");
}

TEST(a_tree_of_measures)
{
    answers.wrong = 6;
    fake.opens = true;
    const char *text =
        strstr(fake_command(command_run, "info --prove --precision --json -"), "\t\"proofs\":");
    answers.wrong = -1;
    assert_non_null(text);
    fake_compare("info_measured_json", text);
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
                                        "info --prove --precision --json -",
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
    fake_command(command_run, "info --prove --precision --json -");
    fake.opens = true;
    fake_command(command_run, "info");
    fake_command(command_run, "info");
}

TEST(nothing_is_left)
{
    fake_leaves_nothing(all_commands);
}
