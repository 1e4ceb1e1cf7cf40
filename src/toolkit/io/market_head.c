/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "toolkit/io/formats.h"
#include "toolkit/io/market_reader.h"

/* Refuses what is no Matrix Market text, where its first bytes tell its name. */
static bool is_readable(struct qp_market_file *in)
{
    qp_market_input_fill(&in->text);
    const struct qp_file_format *other =
        qp_format_of(in->text.at, in->text.held - (size_t)(in->text.at - in->text.block));
    in->number += other != NULL;
    return other == NULL || qp_market_refuse(in, "this is %s, and no Matrix Market text (%s)",
                                             other->name, other->advice);
}

/* A Harwell-Boeing file is known by its third line. */
static bool refuse_word(struct qp_market_file *in, size_t k, const char *advice)
{
    char word[41];
    snprintf(word, sizeof word, "%s", in->word[k]);
    const bool boeing = k == 0 && qp_market_cut_line(in) && qp_market_cut_line(in) &&
                        in->words >= 4 && qp_format_is_boeing(in->word[0]);
    const struct qp_file_format *other = k == 0 ? qp_format_of_word(word) : NULL;
    in->number = 1;
    if (boeing)
        return qp_market_refuse(
            in, "this is a Harwell-Boeing file, and no Matrix Market text (read it by "
                "scipy.io.hb_read, and write it by scipy.io.mmwrite)");
    return other != NULL
               ? qp_market_refuse(in, "this looks like %s, and is no Matrix Market text (%s)",
                                  other->name, other->advice)
               : qp_market_refuse(in, "header word %zu is '%s' (%s)", k + 1, word, advice);
}

static bool read_header(struct qp_market_file *in)
{
    static const char *const legal[5][3] = {{"%%MatrixMarket"},
                                            {"matrix", "mtx"}, /* by mmwrite.m, of dense ones */
                                            {"coordinate", "array"},
                                            {"real", "integer", "unsigned-integer"},
                                            {"general", "symmetric", "skew-symmetric"}};
    static const char *const advice[] = {
        "write '%%MatrixMarket matrix coordinate|array real|integer general|symmetric'",
        "write 'matrix'; a vector is a matrix of one column",
        "write 'coordinate' or 'array'",
        ("write 'real', 'integer' or 'unsigned-integer'; a pattern lacks values, complex numbers "
         "make two files"),
        "write 'general', 'symmetric' or 'skew-symmetric'",
    };
    int which[5] = {0};
    if (!is_readable(in) || !qp_market_cut_line(in))
        return false;
    if (in->returns)
        return qp_market_refuse(in,
                                "lines end by a carriage return alone (tr '\\r' '\\n' mends them)");
    for (size_t k = 0; k < 5 && k < in->words; k++) {
        int *w = &which[k];
        while (*w < 3 && legal[k][*w] != NULL && strcasecmp(in->word[k], legal[k][*w]) != 0)
            ++*w;
        if (*w == 3 || legal[k][*w] == NULL)
            return refuse_word(in, k, advice[k]);
    }
    in->market.dense = which[2] == 1;
    in->numbers = (enum qp_market_numbers)which[3];
    in->mirror = which[4] == 2 ? -1 : which[4];
    return qp_market_expect(in, 5, advice[0]);
}

/* A sparse matrix without entries is legal: a zero vector may well be stored so. It may have more
 * entries than places, for those of one place are added. */
static bool read_size(struct qp_market_file *in)
{
    struct qp_market *market = &in->market;
    const long long most = LLONG_MAX / 64; /* bytes of an entry, and more */
    long long rows, columns, lines;
    if (!qp_market_next_line(in) ||
        !qp_market_expect(in, market->dense ? 2 : 3,
                          market->dense ? "write 'rows columns'"
                                        : "write 'rows columns entries'") ||
        !qp_market_whole(in, in->word[0], "the row count", 1, INT_MAX, &rows) ||
        !qp_market_whole(in, in->word[1], "the column count", 1, INT_MAX, &columns))
        return false;
    if (in->mirror != 0 && rows != columns)
        return qp_market_refuse(in, "%lld x %lld is not square (write 'general')", rows, columns);
    lines = in->mirror == 0 ? rows * columns : rows * (rows + in->mirror) / 2;
    if (!market->dense && !qp_market_whole(in, in->word[2], "the entry count", 0, most, &lines))
        return false;
    market->rows = (int)rows;
    market->columns = (int)columns;
    in->lines = (size_t)lines;
    return true;
}

bool qp_market_head(struct qp_market_file *in)
{
    return read_header(in) && read_size(in);
}
