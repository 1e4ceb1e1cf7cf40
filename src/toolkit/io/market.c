/* SPDX-License-Identifier: MIT */
/* Matrix Market files (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, NISTIR 5935,
 * 1996), read in one pass and strictly: what is skipped in silence comes back as a wrong solution.
 * Only comments, blank lines and blanks are free. The size line is a stranger's promise, held
 * against file and machine before it costs memory. Usual lines of data are taken at once
 * (market_lines.c), all others word by word, with numbers of the C locale. */
#include "toolkit/io/market.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "toolkit/base/caller.h"
#include "toolkit/base/memory.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"
#include "toolkit/io/input.h"
#include "toolkit/io/market_reader.h"

enum { FIRST_LINES = 4096 /* lines that a pipe gets memory for before it has delivered any */ };

/* ---- Room and entries ---- */

/* Holds the promise against the file, where a line has at least the bytes of "1\n" or "1 1 1\n",
 * and the memory it can cost against the machine, in double, which does not overflow. */
static bool weigh(struct qp_market_file *in)
{
    const bool dense = in->market.dense;
    const size_t most = in->file.bytes / (dense ? 2 : 6) + 1;
    /* 8-byte words a line: entry 2, mirror image 2, slots old and new 3; value 1, square 2 */
    const int sparse = in->mirror != 0 ? 7 : 5, array = in->mirror != 0 ? 3 : 1;
    const double need = (double)in->lines * (dense ? array : sparse) * 8;
    const double have = qp_memory_there();
    if (in->lines > most)
        return qp_market_refuse(in, "truncated: bytes for %zu of %zu entries (fetch it anew)", most,
                                in->lines);
    if (need > have)
        in->status = qp_fail(QP_BAD_INPUT, "%s:%zu: %.1f GiB needed, %.1f there (add memory)",
                             in->file.name, in->number, need / 0x1p30, have / 0x1p30);
    return need <= have;
}

/* NIST's mmwrite.m writes the diagonal of skew-symmetric arrays. */
static bool refuse_more(struct qp_market_file *in)
{
    return in->market.dense && in->mirror < 0
               ? qp_market_refuse(in,
                                  "more data after the %zu values below the diagonal (leave its "
                                  "zeros out, or write all values and 'general')",
                                  in->lines)
               : qp_market_refuse(in,
                                  "more data after the %zu promised entries (correct the file or "
                                  "its size line)",
                                  in->lines);
}

static bool lack_memory(struct qp_market_file *in)
{
    in->status =
        qp_fail(QP_NO_MEMORY, "%s: no memory for %zu entries (free some)", in->file.name, in->room);
    return false;
}

/* Makes room for `lines` lines of data. A file, weighed before, gets its room at once; a pipe has
 * to deliver half of it before it gets the rest. */
static bool reserve(struct qp_market_file *in, size_t lines)
{
    struct qp_market *market = &in->market;
    const bool sparse = !market->dense;
    const size_t next = in->file.bytes < SIZE_MAX ? in->lines : 2 * lines + FIRST_LINES;
    if (lines <= in->room)
        return true;
    in->room = next < in->lines ? next : in->lines;
    const size_t count = sparse && in->mirror != 0 ? 2 * in->room : in->room;
    int *row = sparse ? realloc(market->row, count * sizeof *row) : NULL;
    int *column = sparse ? realloc(market->column, count * sizeof *column) : NULL;
    double *value = realloc(market->value, count * sizeof *value);
    market->row = row != NULL ? row : market->row;
    market->column = column != NULL ? column : market->column;
    if (value != NULL)
        market->value = value;
    return (value != NULL && (!sparse || (row != NULL && column != NULL))) || lack_memory(in);
}

static void append(struct qp_market *market, int row, int column, double value)
{
    if (!market->dense) {
        market->row[market->count] = row - 1;
        market->column[market->count] = column - 1;
    }
    market->value[market->count++] = value;
}

/* An entry of a matrix with a mirror image: the triangle that is stored becomes the lower one. */
static bool turn(struct qp_market_file *in, struct qp_market_entry *entry)
{
    const int row = entry->row, column = entry->column, side = (column < row) - (column > row);
    if (side == 0 && (in->mirror > 0 || entry->value == 0.0))
        return true;
    if (side == 0 || side == -in->side) {
        in->number += entry->line;
        return side == 0 ? qp_market_refuse(in,
                                            "row %d, column %d of a skew-symmetric matrix is not 0 "
                                            "(write 'general')",
                                            row, column)
                         : qp_market_refuse(in,
                                            "row %d, column %d is %s the diagonal, and both "
                                            "triangles are there (write 'general')",
                                            row, column, side < 0 ? "above" : "below");
    }
    in->side = side;
    if (side < 0)
        *entry = (struct qp_market_entry){in->mirror * entry->value, column, row, entry->line};
    return true;
}

/* Keeps lines of data, which come after line in->number. */
static bool keep(struct qp_market_file *in, struct qp_market_entry *entry, size_t count)
{
    struct qp_market *market = &in->market;
    const bool mirrors = in->mirror != 0 && !market->dense;
    const size_t left = in->lines - in->done, fit = count < left ? count : left;
    size_t second = SIZE_MAX;
    if (!reserve(in, in->done + fit))
        return false;
    for (size_t k = 0; k < fit; k++) {
        if (mirrors && !turn(in, &entry[k]))
            return false;
        append(market, entry[k].row, entry[k].column, entry[k].value);
        if (mirrors && entry[k].row != entry[k].column)
            append(market, entry[k].column, entry[k].row, in->mirror * entry[k].value);
    }
    in->done += fit;
    if (!market->dense && !in->repeated &&
        !qp_market_places_look(&in->places, market, mirrors, in->room, &second))
        return lack_memory(in);
    in->repeated |= second < market->count;
    in->number += fit < count ? entry[fit].line : 0;
    return fit == count || refuse_more(in);
}

/* ---- Entries of one place ---- */

struct entry {
    double value;
    size_t order; /* in the file: sums are the same on every machine */
    int row, column;
};

/* Orders entries by their place, and those of one place as they come in the file. */
static int compare(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* Adds entries of one place, in the file's order, as assemblies of finite elements mean them; the
 * matrix is sorted by rows then. False without memory, with the reason said. */
static bool add_entries(struct qp_market *market)
{
    struct entry *entries = qp_alloc(market->count, sizeof *entries, "entries that are added");
    size_t count = 0;
    if (entries == NULL)
        return false;
    for (size_t k = 0; k < market->count; k++)
        entries[k] = (struct entry){market->value[k], k, market->row[k], market->column[k]};
    qsort(entries, market->count, sizeof *entries, compare);
    for (size_t k = 0; k < market->count; k++) {
        const struct entry *e = &entries[k];
        if (count > 0 && market->row[count - 1] == e->row &&
            market->column[count - 1] == e->column) {
            market->value[count - 1] += e->value;
            continue;
        }
        market->row[count] = e->row;
        market->column[count] = e->column;
        market->value[count++] = e->value;
    }
    market->count = count;
    free(entries);
    return true;
}

/* Adds entries of one place; their sums must be finite, too. */
static bool join(struct qp_market_file *in)
{
    struct qp_market *market = &in->market;
    size_t distinct = 0;
    if (!add_entries(market)) {
        in->status = qp_fail_within(QP_NO_MEMORY, "%s", in->file.name);
        return false;
    }
    for (size_t k = 0; k < market->count; k++) {
        distinct += in->mirror == 0 || market->row[k] >= market->column[k];
        if (isfinite(market->value[k]))
            continue;
        in->status =
            qp_fail(QP_BAD_INPUT,
                    "%s: the entries at row %d, column %d add up to %g, beyond double "
                    "(scale the system)",
                    in->file.name, market->row[k] + 1, market->column[k] + 1, market->value[k]);
        return false;
    }
    in->added = in->lines - distinct;
    return true;
}

/* ---- Lines of data ---- */

/* A line of data, word by word. */
static bool read_entry(struct qp_market_file *in)
{
    const struct qp_market *market = &in->market;
    struct qp_market_entry entry = {.row = 1};
    long long row = 1, column = 1;
    if (!qp_market_expect(in, market->dense ? 1 : 3,
                          market->dense ? "write 'value'" : "write 'row column value'"))
        return false;
    if ((!market->dense &&
         (!qp_market_whole_place(in, in->word[0], "the row", market->rows, &row) ||
          !qp_market_whole_place(in, in->word[1], "the column", market->columns, &column))) ||
        !qp_market_value(in, in->word[market->dense ? 0 : 2], &entry.value))
        return false;
    entry.row = (int)row;
    entry.column = (int)column;
    return keep(in, &entry, 1);
}

/* Usual lines at the beginning of the text. */
static bool take_lines(struct qp_market_file *in)
{
    const int pieces = qp_market_input_take(&in->text, &in->market, in->numbers);
    for (int k = 0; k < pieces; k++) {
        if (!keep(in, in->text.piece[k].entry, in->text.piece[k].count))
            return false;
        in->number += in->text.piece[k].lines;
    }
    return true;
}

/* The lines of data, exactly as many as promised. Array files have one value a line, too: some
 * readers take several, but then a lost line end goes unseen. */
static bool read_lines(struct qp_market_file *in)
{
    struct qp_market_input *text = &in->text;
    do {
        if (qp_watch_leaves((double)in->done / (double)(in->lines + 1))) {
            in->status = qp_watch_fail();
            return false;
        }
        if (text->at == text->end)
            qp_market_input_fill(text);
        if (text->at < text->end && text->end[-1] == '\n' && !take_lines(in))
            return false;
        if (text->at == text->end && text->held > 0)
            continue;
        if (!qp_market_next_line(in))
            return false;
        if (in->words > 0 && !(in->done == in->lines ? refuse_more(in) : read_entry(in)))
            return false;
    } while (!in->over);
    return in->done == in->lines ||
           qp_market_refuse(in,
                            "truncated: it ends before the %zu promised entries "
                            "(correct the file or its size line)",
                            in->lines);
}

/* ---- The file ---- */

/* Reads from an open file, and closes it. */
static enum qp_status read_all(struct qp_market_file *in, struct qp_market *out)
{
    struct qp_plain_numbers numbers;
    if (!qp_plain_numbers_begin(&numbers) ||
        !qp_market_input_begin(&in->text, in->file.file, in->file.bytes))
        in->status = qp_fail(QP_NO_MEMORY, "%s: no memory to read it (free some)", in->file.name);
    const bool good = in->status == QP_OK && in->file.file != NULL && qp_market_head(in) &&
                      weigh(in) && read_lines(in) && (!in->repeated || join(in));
    if (good && in->mirror != 0 && in->market.dense && !qp_market_unpack(&in->market, in->mirror))
        in->status = qp_fail_within(QP_NO_MEMORY, "%s", in->file.name);
    qp_plain_numbers_end(&numbers);
    qp_input_close(&in->file);
    free(in->places.taken);
    free(in->text.piece);
    if (!good || in->status != QP_OK)
        qp_market_destroy(&in->market);
    *out = in->market;
    return in->status;
}

enum qp_status qp_market_read(const char *path, struct qp_market *out)
{
    size_t added;
    return qp_market_read_adding(path, out, &added);
}

enum qp_status qp_market_read_adding(const char *path, struct qp_market *out, size_t *added)
{
    struct qp_market_file reader = {.status = QP_OK};
    *added = 0;
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = (struct qp_market){0};
    if (QP_NEED(path))
        return QP_BAD_USE;
    reader.status = qp_input_open(path, &reader.file);
    const enum qp_status status = read_all(&reader, out);
    *added = reader.added;
    return status;
}

enum qp_status qp_market_read_text(const char *name, const unsigned char *text, size_t bytes,
                                   struct qp_market *out)
{
    struct qp_market_file reader = {.file = {.name = name, .bytes = bytes}, .status = QP_OK};
    reader.file.file = fmemopen((void *)(uintptr_t)text, bytes, "r");
    if (reader.file.file == NULL)
        reader.status = qp_fail(QP_NO_MEMORY, "%s: no memory to read it", name);
    return read_all(&reader, out);
}
