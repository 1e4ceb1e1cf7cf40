/* SPDX-License-Identifier: MIT */
/* Text of a Matrix Market file in blocks, and usual lines of data in it, in all threads. */
#include "toolkit/io/market_reader.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_max_threads() 1
#endif

#include "toolkit/base/caller.h"
#include "toolkit/io/number.h"

bool qp_market_input_begin(struct qp_market_input *text, FILE *file, size_t bytes)
{
    const size_t large = 50 * 1000 * 1000; /* bytes of a file that is worth several threads */
    const bool is_large = bytes < SIZE_MAX && bytes > large && qp_process_check() == QP_OK;
    const int threads = is_large ? omp_get_max_threads() : 1;
    *text = (struct qp_market_input){.file = file, .threads = threads};
    text->piece = malloc((size_t)threads * (sizeof *text->piece + QP_MARKET_BLOCK));
    if (text->piece != NULL)
        text->at = text->end = text->block = (char *)(text->piece + threads);
    return text->piece != NULL;
}

void qp_market_input_fill(struct qp_market_input *text)
{
    const size_t room = (size_t)text->threads * QP_MARKET_BLOCK;
    const size_t rest = text->held - (size_t)(text->end - text->block);
    memmove(text->block, text->end, rest);
    text->held = rest + fread(text->block + rest, 1, room - rest, text->file);
    text->error = ferror(text->file) ? errno : 0;
    if (text->held > 0 && text->held < room && text->block[text->held - 1] != '\n')
        text->block[text->held++] = '\n';
    const char *last = memrchr(text->block, '\n', text->held);
    text->at = text->block;
    text->end = last != NULL ? last + 1 : text->block + text->held;
}

static const char *skip_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t' || *text == '\r')
        text++;
    return text;
}

/* A whole number from 1 to `most` and the blanks after it; NULL for anything else. */
static const char *take_place(const char *text, int most, int *place)
{
    long number = 0;
    for (; *text >= '0' && *text <= '9' && number <= most; text++)
        number = 10 * number + (*text - '0');
    const char *next = skip_blanks(text);
    *place = (int)number;
    return next > text && number >= 1 && number <= most ? next : NULL;
}

/* A line of data from its first word on. Returns its end, or NULL if it is not a usual one. */
static const char *take_entry(const char *text, const struct qp_market *market,
                              enum qp_market_numbers kind, struct qp_market_entry *entry)
{
    if (!market->dense) {
        text = take_place(text, market->rows, &entry->row);
        text = text != NULL ? take_place(text, market->columns, &entry->column) : NULL;
    }
    text = text != NULL ? qp_number_read(text, &entry->value) : NULL;
    text = text != NULL ? skip_blanks(text) : NULL;
    const bool good = text != NULL && *text == '\n' && isfinite(entry->value) &&
                      (kind == QP_MARKET_REAL || entry->value == floor(entry->value)) &&
                      (kind != QP_MARKET_UNSIGNED || entry->value >= 0.0);
    return good ? text : NULL;
}

/* A thread's part; numbers have a point whatever the locale. */
static void take(struct qp_market_piece *s, const struct qp_market *market,
                 enum qp_market_numbers kind)
{
    struct qp_plain_numbers numbers;
    bool good = qp_plain_numbers_begin(&numbers);
    while (good && s->at < s->end) {
        const char *word = skip_blanks(s->at), *last = word;
        const bool has_entry = *word != '%' && *word != '\n';
        if (has_entry)
            last = take_entry(word, market, kind, &s->entry[s->count]);
        else if (*word == '%')
            last = memchr(word, '\n', (size_t)(s->end - word));
        good = last != NULL && last - s->at <= QP_MARKET_LINE &&
               (has_entry || memchr(word, '\0', (size_t)(last - word)) == NULL);
        s->lines += good;
        s->entry[s->count].line = s->lines;
        s->count += good && has_entry;
        s->at = good ? last + 1 : s->at;
    }
    qp_plain_numbers_end(&numbers);
}

int qp_market_input_take(struct qp_market_input *text, const struct qp_market *market,
                         enum qp_market_numbers kind)
{
    const char *at = text->at;
    int whole = 0;
    for (int k = 0; k < text->threads; k++) {
        const char *end = at + (text->end - at) / (text->threads - k);
        end = end > at ? memchr(end - 1, '\n', (size_t)(text->end - end) + 1) : NULL;
        text->piece[k].at = at;
        text->piece[k].end = at = end != NULL ? end + 1 : text->end;
        text->piece[k].lines = text->piece[k].count = 0;
    }
#pragma omp parallel for schedule(dynamic) if (text->threads > 1)
    for (int k = 0; k < text->threads; k++)
        take(&text->piece[k], market, kind);
    while (whole + 1 < text->threads && text->piece[whole].at == text->piece[whole].end)
        whole++;
    text->at = text->piece[whole].at;
    return whole + 1;
}
