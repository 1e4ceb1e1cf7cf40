/* SPDX-License-Identifier: MIT */
#include "support/mutants.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "toolkit/gl/shaders.h"

static char folder[] = "/tmp/quadpass-sabotage-XXXXXX";

void mutants_write(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

void mutants_read(const char *name, char text[MOST_TEXT])
{
    const struct qp_shader_file *file = qp_shader_files;
    while (file->name != NULL && strcmp(file->name, name) != 0)
        file++;
    assert_non_null(file->name);
    assert_in_range(file->size, 1, MOST_TEXT - 1);
    memcpy(text, file->text, file->size);
    text[file->size] = '\0';
    assert_null(strstr(text, "/*")); /* comments of this kind are not known here */
    for (char *at = text; (at = strstr(at, "//")) != NULL;)
        memset(at, ' ', strcspn(at, "\n"));
}

void mutants_strike(const struct victim *victim, const char *begin, const char *end,
                    const char *instead)
{
    char mutant[2 * MOST_TEXT];
    snprintf(mutant, sizeof mutant, "%.*s%s%s", (int)(begin - victim->text), victim->text, instead,
             end);
    mutants_write(victim->name, mutant);
}

struct qp_result mutants_walk(const struct victim *victim, int steps)
{
    struct qp_walk_desc desc = {.iterations = steps};
    struct qp_result result;
    assert_ok(qp_walk(victim->context, victim->variant, victim->problem, &desc, &result));
    return result;
}

const char *mutants_end_of_call(const char *at)
{
    int depth = 0;
    do {
        depth += *at == '(';
        depth -= *at == ')';
        assert_int_not_equal(*at, '\0');
    } while (*at++ != ')' || depth > 0);
    return at;
}

enum { FIRST = 2, ONE_IN = 6 };

struct mutants_tally mutants_tally;

bool mutants_chosen(void)
{
    mutants_tally.made++;
    return mutants_tally.made <= FIRST || mutants_tally.made % ONE_IN == 0 || support_takes_long();
}

void mutants_sabotage(struct victim *victim, const char *begin, const char *end,
                      const char *instead)
{
    if (!mutants_chosen())
        return;
    mutants_strike(victim, begin, end, instead);
    struct qp_result result = victim->walk != NULL ? victim->walk(victim) : mutants_walk(victim, 1);
    mutants_write(victim->name, victim->text);
    if (result.verdict == QP_FAIL && strstr(result.reason, "stage 4") == NULL)
        return;
    mutants_tally.survived++;
    print_error("%s, %s: '%s' for '%.*s' survives: %s\n", victim->variant->name, victim->name,
                instead, (int)(end - begin), begin, result.reason);
}

bool mutants_replace(struct victim *victim, const char *old, const char *instead)
{
    const char *begin = strstr(victim->text, old);
    if (begin != NULL)
        mutants_sabotage(victim, begin, begin + strlen(old), instead);
    return begin != NULL;
}

void mutants_strike_call(struct victim *victim, const char *at, const char *const by[], int shifts)
{
    const char *end = mutants_end_of_call(at);
    char instead[256];
    snprintf(instead, sizeof instead, "(0.0 * %.*s)", (int)(end - at), at);
    mutants_sabotage(victim, at, end, instead);
    for (int k = 0; k < shifts; k++) {
        snprintf(instead, sizeof instead, "%.*s%s", (int)(end - 1 - at), at, by[k]);
        mutants_sabotage(victim, at, end, instead);
    }
}

int mutants_copy_shaders(void **state)
{
    assert_non_null(mkdtemp(folder));
    for (const struct qp_shader_file *file = qp_shader_files; file->name != NULL; file++) {
        char text[MOST_TEXT], path[64];
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(file->name, "/"), file->name);
        mkdir(path, 0700); /* usually there already; if it fails, writing does too */
        mutants_read(file->name, text);
        mutants_write(file->name, text);
    }
    assert_int_equal(setenv("QUADPASS_SHADER_DIR", folder, 1), 0);
    return support_open_context(state);
}

int mutants_set_up(void **state)
{
    assert_int_equal(setenv("GALLIVM_PERF", "nopt", 0), 0);
    return mutants_copy_shaders(state);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

int mutants_tear_down(void **state)
{
    unsetenv("QUADPASS_SHADER_DIR");
    const int left = nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return support_close_context(state) | left;
}
