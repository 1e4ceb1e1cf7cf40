/* SPDX-License-Identifier: MIT */
#include "tools/tune/space.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/io/number.h"

enum { WORDS = 80, CONDITIONS = 96 };

/* The first factor is one of the values (a bit each), or the sum of the first `left` is below or
 * above that of the others. */
struct condition {
    char relation; /* = < > */
    bool is_last;  /* last condition of those that exclude a configuration together */
    int left, count;
    struct qp_space_factor factor[QP_SPACE_FACTORS];
    uint64_t values;
};

/* The words of the line under way, and all conditions so far. */
struct reading {
    struct qp_space *space;
    int line, words, conditions;
    char word[WORDS][32];
    struct condition condition[CONDITIONS];
};

/* ---- Configurations ---- */

int qp_space_find(const struct qp_space *space, int configuration)
{
    int low = 0, high = space->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (space->valid[middle] < configuration)
            low = middle + 1;
        else
            high = middle;
    }
    return low < space->count && space->valid[low] == configuration ? low : -1;
}

int qp_space_value(const struct qp_space_parameter *parameter, const char *text)
{
    int k = parameter->count - 1;
    while (k >= 0 && strcmp(parameter->text[k], text) != 0)
        k--;
    return k;
}

const char *qp_space_text(const struct qp_space *space, int configuration, char text[QP_SPACE_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < space->parameters && used < QP_SPACE_TEXT; k++) {
        const struct qp_space_parameter *p = &space->parameter[k];
        if (!p->is_fact)
            used +=
                (size_t)snprintf(text + used, QP_SPACE_TEXT - used, "%s%s=%s", used > 0 ? " " : "",
                                 p->name, p->text[qp_space_digit(space, configuration, k)]);
    }
    return text;
}

/* ---- Conditions ---- */

static double sum_of(const struct qp_space *space, int configuration,
                     const struct qp_space_factor *factor, int count)
{
    double sum = 0.0, product = 0.0;
    for (int i = 0; i < count; i++) {
        const int k = factor[i].parameter;
        const double value =
            k < 0 ? factor[i].number
                  : space->parameter[k].number[qp_space_digit(space, configuration, k)];
        sum += factor[i].sign == '+' ? product : 0.0;
        product = factor[i].sign == '*'   ? product * value
                  : factor[i].sign == '/' ? product / value
                  : factor[i].sign == '%' ? fmod(product, value)
                                          : value;
    }
    return sum + product;
}

static bool meets(const struct qp_space *space, int configuration, const struct condition *c)
{
    if (c->relation == '=')
        return c->values >> qp_space_digit(space, configuration, c->factor[0].parameter) & 1;
    const double left = sum_of(space, configuration, c->factor, c->left),
                 right = sum_of(space, configuration, c->factor + c->left, c->count - c->left);
    return c->relation == '<' ? left < right : left > right;
}

static bool is_excluded(const struct reading *r, int configuration)
{
    bool all = true;
    for (int i = 0; i < r->conditions; i++) {
        all = all && meets(r->space, configuration, &r->condition[i]);
        if (r->condition[i].is_last && all)
            return true;
        all = all || r->condition[i].is_last;
    }
    return false;
}

double qp_space_term(const struct qp_space *space, int configuration, int term)
{
    return sum_of(space, configuration, space->term[term].factor, space->term[term].count);
}

int qp_space_tile(const struct qp_space *space, int way)
{
    const struct qp_space_term *tile = &space->tile[way];
    double most = 1.0;
    for (int i = 0; i < space->count; i++)
        most = fmax(most, sum_of(space, space->valid[i], tile->factor, tile->count));
    return (int)fmin(most, QP_SPACE_MOST);
}

/* ---- Lines ---- */

static enum qp_status refuse(const struct reading *r, const char *word)
{
    return qp_fail(QP_BAD_INPUT,
                   "line %d, at '%s': it is not 'tune NAME = VALUE ...', with a new name and up to "
                   "%d values, nor 'tune not CONDITION with CONDITION ...' or 'term NAME = SUM' of "
                   "names above, or 'tile across' or 'up' likewise",
                   r->line, word, QP_SPACE_VALUES);
}

static bool read_factor(const struct reading *r, const char *word, struct qp_space_factor *out)
{
    out->parameter = r->space->parameters - 1;
    while (out->parameter >= 0 && strcmp(r->space->parameter[out->parameter].name, word) != 0)
        out->parameter--;
    const char *end = out->parameter < 0 ? qp_number_read(word, &out->number) : "";
    return end != NULL && *end == '\0';
}

static bool is_one_of(const char *word, const char *signs)
{
    return word[0] != '\0' && word[1] == '\0' && strchr(signs, word[0]) != NULL;
}

/* Appends the factors of a sum, which goes to `end` or to a relation; false: the word at *at is
 * wrong there. */
static bool read_sum(const struct reading *r, int *at, int end, struct qp_space_factor *factor,
                     int *count)
{
    for (char sign = '+';; sign = r->word[(*at)++][0]) {
        struct qp_space_factor *next = &factor[*count];
        if (*at == end || *count == QP_SPACE_FACTORS || !read_factor(r, r->word[*at], next))
            return false;
        next->sign = sign;
        (*count)++;
        (*at)++;
        if (*at == end || is_one_of(r->word[*at], "=<>"))
            return true;
        if (!is_one_of(r->word[*at], "+*/%"))
            return false;
    }
}

/* True if all names are of numbers. */
static bool is_number(const struct reading *r, const struct qp_space_factor *factor, int count)
{
    for (int i = 0; i < count; i++) {
        if (factor[i].parameter >= 0 && r->space->parameter[factor[i].parameter].has_words)
            return false;
    }
    return true;
}

/* Reads the values of a parameter that a condition names. */
static bool read_values(const struct reading *r, int *at, int end, struct condition *c)
{
    bool good = c->count == 1 && c->factor[0].parameter >= 0 && *at < end;
    while (good && *at < end) {
        const int k = qp_space_value(&r->space->parameter[c->factor[0].parameter], r->word[*at]);
        good = k >= 0;
        c->values |= good ? UINT64_C(1) << k : 0;
        *at += good;
    }
    return good;
}

static enum qp_status read_condition(struct reading *r, int begin, int end)
{
    struct condition *c = &r->condition[r->conditions++];
    int at = begin;
    *c = (struct condition){.is_last = end == r->words};
    bool good = read_sum(r, &at, end, c->factor, &c->count) && at < end;
    if (good) {
        c->relation = r->word[at++][0];
        c->left = c->count;
        good = c->relation == '=' ? read_values(r, &at, end, c)
                                  : read_sum(r, &at, end, c->factor, &c->count) && at == end &&
                                        is_number(r, c->factor, c->count);
    }
    return good ? QP_OK : refuse(r, r->word[at < end ? at : end - 1]);
}

static enum qp_status read_exclusion(struct reading *r)
{
    enum qp_status status = QP_OK;
    for (int begin = 2, end; begin <= r->words && status == QP_OK; begin = end + 1) {
        for (end = begin; end < r->words && strcmp(r->word[end], "with") != 0;)
            end++;
        status =
            r->conditions < CONDITIONS ? read_condition(r, begin, end) : refuse(r, r->word[begin]);
    }
    return status;
}

static enum qp_status read_parameter(struct reading *r)
{
    struct qp_space *space = r->space;
    struct qp_space_parameter *p = &space->parameter[space->parameters];
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    struct qp_space_factor same;
    if (r->words < 4 || strcmp(r->word[2], "=") != 0 || read_factor(r, r->word[1], &same) ||
        r->word[1][strspn(r->word[1], letters)] != '\0' || r->words - 3 > QP_SPACE_VALUES)
        return refuse(r, r->word[1]);
    if (space->parameters == QP_SPACE_PARAMETERS || space->size > QP_SPACE_MOST / (r->words - 3))
        return qp_fail(QP_BAD_INPUT, "line %d: more than %d parameters or %d configurations",
                       r->line, QP_SPACE_PARAMETERS, QP_SPACE_MOST);
    *p = (struct qp_space_parameter){.is_fact = strcmp(r->word[0], "fact") == 0,
                                     .stride = space->size};
    memcpy(p->name, r->word[1], sizeof p->name);
    for (int i = 3; i < r->words; i++, p->count++) {
        if (qp_space_value(p, r->word[i]) >= 0)
            return refuse(r, r->word[i]);
        memcpy(p->text[p->count], r->word[i], sizeof p->text[0]);
        const char *end = qp_number_read(r->word[i], &p->number[p->count]);
        if (end == NULL || *end != '\0' || !isfinite(p->number[p->count])) {
            p->number[p->count] = NAN;
            p->has_words = true;
        }
    }
    space->size *= p->count;
    space->parameters++;
    return QP_OK;
}

static enum qp_status read_term(struct reading *r)
{
    const bool is_tile = strcmp(r->word[0], "tile") == 0, is_up = strcmp(r->word[1], "up") == 0;
    struct qp_space_term *term =
        is_tile ? &r->space->tile[is_up] : &r->space->term[r->space->terms];
    const bool has_place = is_tile ? term->count == 0 && (is_up || !strcmp(r->word[1], "across"))
                                   : r->space->terms < QP_SPACE_TERMS;
    int at = 3;
    if (r->words < 4 || strcmp(r->word[2], "=") != 0 || !has_place ||
        !read_sum(r, &at, r->words, term->factor, &term->count) || at < r->words ||
        !is_number(r, term->factor, term->count))
        return refuse(r, r->word[at < r->words ? at : 1]);
    memcpy(term->name, r->word[1], sizeof term->name);
    r->space->terms += !is_tile;
    return QP_OK;
}

static enum qp_status read_line(struct reading *r, const char *line, size_t length)
{
    memset(r->word, 0, sizeof r->word);
    r->words = 0;
    for (size_t at = strspn(line, " \t"), word; at < length; at += strspn(line + at, " \t\r")) {
        word = strcspn(line + at, " \t\r\n");
        if (word >= sizeof r->word[0] || r->words == WORDS)
            return qp_fail(QP_BAD_INPUT, "line %d is too long, or one of its words", r->line);
        memcpy(r->word[r->words++], line + at, word);
        at += word;
    }
    if (strcmp(r->word[0], "term") == 0 || strcmp(r->word[0], "tile") == 0)
        return read_term(r);
    if (strcmp(r->word[0], "tune") != 0 && strcmp(r->word[0], "fact") != 0)
        return QP_OK;
    return strcmp(r->word[1], "not") == 0 ? read_exclusion(r) : read_parameter(r);
}

/* ---- The space ---- */

static enum qp_status list_valid(const struct reading *r, struct qp_space *space)
{
    char text[QP_SPACE_TEXT];
    if (space->parameters == 0 || is_excluded(r, 0))
        return qp_fail(QP_BAD_INPUT, "it has no parameters, or excludes the default: %s",
                       qp_space_text(space, 0, text));
    space->valid = qp_alloc((size_t)space->size, sizeof *space->valid, "configurations");
    for (int k = 0; space->valid != NULL && k < space->size; k++) {
        if (!is_excluded(r, k))
            space->valid[space->count++] = k;
    }
    return space->valid != NULL ? QP_OK : QP_NO_MEMORY;
}

enum qp_status qp_space_read(const char *text, struct qp_space *out)
{
    *out = (struct qp_space){.size = 1, .text = qp_copy_text(text, "a space")};
    struct reading *r = qp_alloc_zero(1, sizeof *r, "a space");
    enum qp_status status = r != NULL && out->text != NULL ? QP_OK : QP_NO_MEMORY;
    for (const char *line = text; status == QP_OK && *line != '\0'; line += *line == '\n') {
        r->space = out;
        r->line++;
        status = read_line(r, line, strcspn(line, "\n"));
        line += strcspn(line, "\n");
    }
    if (status == QP_OK)
        status = list_valid(r, out);
    free(r);
    if (status != QP_OK)
        qp_space_destroy(out);
    return status;
}

void qp_space_destroy(struct qp_space *space)
{
    free(space->text);
    free(space->valid);
    *space = (struct qp_space){.text = NULL};
}
