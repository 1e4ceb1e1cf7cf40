/* SPDX-License-Identifier: MIT */
/* Words of a command line, and the variants that they name. */
#include "tools/cmd/cmd.h"

#include <fnmatch.h>
#include <string.h>

#include "lab/ops/table.h"
#include "toolkit/base/status.h"
#include "tools/cmd/output/sentence.h"

/* Names of an operation's variants for a sentence, as many as fit. */
static const char *some_variants(const char *op)
{
    static char text[128];
    size_t used = 0;
    for (size_t i = 0; i < qp_variant_count() && used < sizeof text / 2; i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (strcmp(variant->op, op) == 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? ", " : "",
                                     variant->name);
    }
    return text;
}

/* The sentence's hint: names with their operation if it was given, else those and operations. */
static const char *variant_hint(const char *name)
{
    const char *names[2 * MOST_VARIANTS];
    int count = 0;
    for (size_t i = 0; i < qp_variant_count() && count < 2 * MOST_VARIANTS - 1; i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        names[count++] = strchr(name, '/') != NULL ? variant->name : strchr(variant->name, '/') + 1;
        if (strchr(name, '/') == NULL)
            names[count++] = variant->op;
    }
    return sentence_hint(name, names, count);
}

/* Words about a name that no variant has: it is a file's, a pattern where one variant is taken, or
 * near to one that there is. */
static const char *why_unknown(const char *word, bool takes_patterns)
{
    if (options_is_kernel_file(word))
        return " (a kernel file goes with run, check, bench, walk, tune)";
    if (strchr(word, '.') != NULL)
        return " (the name of a kernel file ends in .frag)";
    return !takes_patterns && strchr(word, '*') != NULL ? " (give one variant, and no pattern)"
                                                        : variant_hint(word);
}

enum qp_status cmd_unknown_variant(const char *name)
{
    if (qp_op_find(name) != NULL)
        return qp_fail(QP_BAD_USE,
                       "'%s' is an operation; take a variant of it, such as %s ('quadpass list %s' "
                       "shows all)",
                       name, some_variants(name), name);
    return qp_fail(QP_BAD_USE, "no variant is called '%s'%s; 'quadpass list' shows them", name,
                   why_unknown(name, false));
}

/* True for a variant that a word is meant to name where no variant has that name: it has it in
 * letters of other cases or, in a list, in its place in a paper, such as "implementation 5". */
static bool is_meant(const struct qp_variant *variant, const struct options *options,
                     const char *word)
{
    return fnmatch(word, variant->name, FNM_CASEFOLD) == 0 ||
           fnmatch(word, strchr(variant->name, '/') + 1, FNM_CASEFOLD) == 0 ||
           (strcmp(options->command->name, "list") == 0 &&
            strcasestr(variant->place, word) != NULL);
}

/* The words that name a variant. */
static void find_names(const struct options *options, bool *names)
{
    for (int i = 0; i < options->word_count; i++)
        for (size_t k = 0; k < qp_variant_count() && !names[i]; k++)
            names[i] = qp_variant_matches(qp_variant_at(k), options->words[i]);
}

static bool is_selected(const struct qp_variant *variant, const struct options *options,
                        const bool *names, bool *used)
{
    bool selected = options->word_count == 0 && options->variant == NULL;
    for (int i = 0; i < options->word_count; i++) {
        const char *word = options->words[i];
        if (names[i] ? qp_variant_matches(variant, word) : is_meant(variant, options, word)) {
            used[i] = true;
            selected = true;
        }
    }
    if (options->variant != NULL && variant == qp_variant_find(options->variant))
        selected = true;
    return selected;
}

int cmd_select(const struct options *options, const struct qp_variant *variants[])
{
    bool names[MOST_WORDS] = {false}, used[MOST_WORDS] = {false};
    int count = 0;
    if (options->variant != NULL && qp_variant_find(options->variant) == NULL) {
        cmd_failed(cmd_unknown_variant(options->variant));
        return -1;
    }
    find_names(options, names);
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (is_selected(variant, options, names, used) &&
            (options->problem == NULL ||
             qp_op_kind(qp_op_find(variant->op), options->problem) >= 0))
            variants[count++] = variant;
    }
    for (int i = 0; i < options->word_count; i++) {
        const char *word = options->words[i];
        if (used[i])
            continue;
        if (options_is_kernel_file(word) && strstr(options->command->words, "FILE.frag") != NULL)
            sentence_say("%s takes one kernel file at a time, and nothing beside '%s'",
                         options->command->name, word);
        else
            sentence_say("no variant matches '%s'%s; 'quadpass list' shows them", word,
                         why_unknown(word, true));
        return -1;
    }
    if (count == 0 && options->problem != NULL) {
        sentence_say("no variant asked for has a problem '%s'", options->problem);
        return -1;
    }
    return count;
}
