/* SPDX-License-Identifier: MIT */
/* Matrix Market files (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, NISTIR 5935,
 * 1996), read in one pass and strictly: what is skipped in silence comes back as a wrong solution.
 * Only comments, blank lines and blanks are free. The size line is a stranger's promise, held
 * against file and machine before it costs memory. Usual lines of data are taken at once
 * (market_lines.c), all others word by word, with numbers of the C locale. */
#include "io/market.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/caller.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/watch.h"
#include "io/input.h"
#include "io/market_lines.h"
#include "io/market_places.h"

enum { FIRST_LINES = 4096 /* lines that a pipe gets memory for before it has delivered any */ };

/* A matrix on its way in. A line of data makes one entry, or two where it is mirrored. */
struct reader {
    struct qp_input_file file;
    struct qp_market_input text;
    size_t number; /* of the current line, from 1; after the last, of the missing one */
    bool over;     /* that is the end of the file */
    size_t words;  /* number of words on that line; word[] holds the first few */
    char *word[5];
    bool integer;
    bool symmetric;
    size_t lines; /* lines of data that the size line promises */
    size_t room;  /* lines of data there is memory for */
    size_t done;  /* lines of data read */
    struct qp_market_places places;
    struct qp_market market;
    enum qp_status status; /* why a function answered false */
    char cut[QP_MARKET_LINE + 1];
};

/* Stores "file:line: reason" and answers false. The reason quotes an untrusted file, whose control
 * bytes must not reach the terminal. */
__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *in, const char *format, ...)
{
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    for (char *c = reason; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    in->status = qp_fail(QP_BAD_INPUT, "%s:%zu: %s", in->file.name, in->number, reason);
    return false;
}

/* Reads one line, which at the end of the file has no words, and cuts it in place. */
static bool cut_line(struct reader *in)
{
    struct qp_market_input *text = &in->text;
    size_t length = 0;
    char c, last = ' ';
    in->words = 0;
    in->number++;
    if (text->at == text->end)
        qp_market_input_fill(text);
    in->over = text->at == text->end;
    while (text->at < text->end && (c = *text->at++) != '\n') {
        if (c == '\0' || length == QP_MARKET_LINE)
            return refuse(in, "a NUL byte or over 64 KiB on a line (give a text file)");
        if (c == '\t' || c == '\r')
            c = ' ';
        if (c != ' ' && last == ' ' && in->words++ < 5)
            in->word[in->words - 1] = in->cut + length;
        in->cut[length++] = c == ' ' ? '\0' : c;
        last = c;
    }
    in->cut[length] = '\0';
    return !in->over || text->error == 0 ||
           refuse(in, "cannot be read: %s (give a file)", strerror(text->error));
}

/* The next line that is neither blank nor a comment; without words after the last one. */
static bool next_line(struct reader *in)
{
    do {
        if (!cut_line(in))
            return false;
        if (in->words > 0 && in->word[0][0] == '%')
            in->words = 0;
    } while (in->words == 0 && !in->over);
    return true;
}

static bool expect(struct reader *in, size_t words, const char *form)
{
    if (in->words == 0)
        return refuse(in, "an empty line or the end of the file (%s)", form);
    return in->words == words ||
           refuse(in, "%zu word%s on this line (%s)", in->words, in->words == 1 ? "" : "s", form);
}

/* Refuses other file formats, known by their first bytes, and says how to convert them. */
static bool is_readable(struct reader *in)
{
    static const char write[] = "scipy.io.mmwrite and Octave's mmwrite write such text";
    enum { PACKED = 5, KNOWN = 8 };
    static const char *const formats[KNOWN][2] = {
        {"\x1f\x8b", "a gzip file"},          {"BZh", "a bzip2 file"},
        {"\xfd\x37zXZ", "an xz file"},        {"\x28\xb5\x2f\xfd", "a zstd file"},
        {"PK\3\4", "a zip or NumPy archive"}, {"\x93NUMPY", "a NumPy array"},
        {"\x89HDF", "an HDF5 file"},          {"MATLAB", "a MAT-file"}};
    for (int k = 0; k < KNOWN; k++) {
        if (strncmp(in->cut, formats[k][0], strlen(formats[k][0])) == 0)
            return refuse(in, "this is %s, and only Matrix Market text is read (%s)", formats[k][1],
                          k < PACKED ? "unpack it" : write);
    }
    return in->words == 0 || strpbrk(in->word[0], ",;") == NULL ||
           refuse(in, "this looks like CSV, and only Matrix Market text is read (%s)", write);
}

static bool read_header(struct reader *in)
{
    static const char *const one[] = {"%%MatrixMarket", "matrix", "coordinate", "real", "general"};
    static const char *const other[] = {"", "", "array", "integer", "symmetric"};
    static const char *const advice[] = {
        "write '%%MatrixMarket matrix coordinate|array real|integer general|symmetric'",
        "write 'matrix'; a vector is a matrix of one column",
        "write 'coordinate' or 'array'",
        "write 'real' or 'integer'; a pattern lacks values, and complex numbers make two files",
        "write 'general' or 'symmetric'; of a skew or hermitian matrix write out both triangles",
    };
    bool second[5] = {false};
    const bool good = cut_line(in);
    if (!is_readable(in) || !good)
        return false;
    for (size_t k = 0; k < 5 && k < in->words; k++) {
        second[k] = strcasecmp(in->word[k], other[k]) == 0;
        if (!second[k] && strcasecmp(in->word[k], one[k]) != 0)
            return refuse(in, "header word %zu is '%.40s' (%s)", k + 1, in->word[k], advice[k]);
    }
    in->market.dense = second[2];
    in->integer = second[3];
    in->symmetric = second[4];
    return expect(in, 5, advice[0]);
}

/* strtoll stops at the ends of long long, beyond any `most` here. */
static bool parse_whole(struct reader *in, const char *word, const char *what, long long least,
                        long long most, long long *number)
{
    char *stop;
    *number = strtoll(word, &stop, 10);
    return (*stop == '\0' && *number >= least && *number <= most) ||
           refuse(in, "%s '%.40s' is not a whole number from %lld to %lld (correct it)", what, word,
                  least, most);
}

/* Fortran's exponent letter D is welcome; what strtod takes beyond decimals, NaN and 0x10, is not.
 * Values must be finite as floats, which the kernels use; one too small for a double is 0. */
static bool parse_value(struct reader *in, char *word, double *value)
{
    char *stop = word + strspn(word, "+-.0123456789eEdD"), *letter = strpbrk(word, "dD");
    if (*stop == '\0') {
        if (letter != NULL)
            *letter = 'e';
        *value = strtod(word, &stop);
    }
    if (*stop != '\0')
        return refuse(in, "the value '%.40s' is not a finite decimal number (correct it)", word);
    if (fabs(*value) >= QP_FLOAT_END)
        return refuse(in, "the value %.40s is beyond float (scale the system)", word);
    if (in->integer && *value != floor(*value))
        return refuse(in, "the value %.40s is no integer (write 'real' in the header)", word);
    return true;
}

/* A sparse matrix without entries is legal: a zero vector may well be stored so. */
static bool read_size(struct reader *in)
{
    struct qp_market *market = &in->market;
    long long rows, columns, lines;
    if (!next_line(in) ||
        !expect(in, market->dense ? 2 : 3,
                market->dense ? "write 'rows columns'" : "write 'rows columns entries'") ||
        !parse_whole(in, in->word[0], "the row count", 1, INT_MAX, &rows) ||
        !parse_whole(in, in->word[1], "the column count", 1, INT_MAX, &columns))
        return false;
    if (in->symmetric && rows != columns)
        return refuse(in, "%lld x %lld is not square (write 'general')", rows, columns);
    lines = in->symmetric ? rows * (rows + 1) / 2 : rows * columns;
    if (!market->dense && !parse_whole(in, in->word[2], "the entry count", 0, lines, &lines))
        return false;
    market->rows = (int)rows;
    market->columns = (int)columns;
    in->lines = (size_t)lines;
    return true;
}

/* Holds the promise against the file, where a line has at least the bytes of "1\n" or "1 1 1\n",
 * and the memory it can cost against the machine, in double, which does not overflow. */
static bool weigh(struct reader *in)
{
    const bool dense = in->market.dense;
    const size_t most = in->file.bytes / (dense ? 2 : 6) + 1;
    /* 8-byte words a line: entry 2, mirror image 2, slots old and new 3; value 1, square 2 */
    const int sparse = in->symmetric ? 7 : 5, array = in->symmetric ? 3 : 1;
    const double need = (double)in->lines * (dense ? array : sparse) * 8;
    const double have = qp_memory_there();
    if (in->lines > most)
        return refuse(in, "truncated: bytes for %zu of %zu entries (fetch it anew)", most,
                      in->lines);
    if (need > have)
        in->status = qp_fail(QP_BAD_INPUT, "%s:%zu: %.1f GiB needed, %.1f there (add memory)",
                             in->file.name, in->number, need / 0x1p30, have / 0x1p30);
    return need <= have;
}

static const char more[] =
    "more data after the %zu promised entries (correct the file or its size line)";

static bool lack_memory(struct reader *in)
{
    in->status =
        qp_fail(QP_NO_MEMORY, "%s: no memory for %zu entries (free some)", in->file.name, in->room);
    return false;
}

/* Makes room for `lines` lines of data. A file, weighed before, gets its room at once; a pipe has
 * to deliver half of it before it gets the rest. */
static bool reserve(struct reader *in, size_t lines)
{
    struct qp_market *market = &in->market;
    const bool sparse = !market->dense;
    const size_t next = in->file.bytes < SIZE_MAX ? in->lines : 2 * lines + FIRST_LINES;
    if (lines <= in->room)
        return true;
    in->room = next < in->lines ? next : in->lines;
    const size_t count = sparse && in->symmetric ? 2 * in->room : in->room;
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

/* Keeps lines of data, which come after line in->number. */
static bool keep(struct reader *in, const struct qp_market_entry *entry, size_t count)
{
    struct qp_market *market = &in->market;
    const bool mirrors = in->symmetric && !market->dense;
    const size_t left = in->lines - in->done, fit = count < left ? count : left;
    size_t second = market->count, first = second;
    if (!reserve(in, in->done + fit))
        return false;
    for (size_t k = 0; k < fit; k++) {
        append(market, entry[k].row, entry[k].column, entry[k].value);
        if (mirrors && entry[k].row != entry[k].column)
            append(market, entry[k].column, entry[k].row, entry[k].value);
    }
    in->done += fit;
    if (!market->dense &&
        !qp_market_places_look(&in->places, market, in->symmetric, in->room, &second))
        return lack_memory(in);
    if (!market->dense && second < market->count) {
        for (; first < second; entry++)
            first += 1 + (mirrors && entry->row != entry->column);
        in->number += entry->line;
        return refuse(in, "a second entry at row %d, column %d (join them)", entry->row,
                      entry->column);
    }
    in->number += fit < count ? entry[fit].line : 0;
    return fit == count || refuse(in, more, in->lines);
}

/* A line of data, word by word. Of a symmetric matrix the format stores the lower triangle only: an
 * entry above the diagonal would meet the mirror image of one below. */
static bool read_entry(struct reader *in)
{
    const struct qp_market *market = &in->market;
    struct qp_market_entry entry = {.row = 1};
    long long row = 1, column = 1;
    if (!expect(in, market->dense ? 1 : 3,
                market->dense ? "write 'value'" : "write 'row column value'"))
        return false;
    if ((!market->dense &&
         (!parse_whole(in, in->word[0], "the row", 1, market->rows, &row) ||
          !parse_whole(in, in->word[1], "the column", 1, market->columns, &column))) ||
        !parse_value(in, in->word[market->dense ? 0 : 2], &entry.value))
        return false;
    if (in->symmetric && column > row)
        return refuse(in, "row %lld, column %lld is above the diagonal (mirror it)", row, column);
    entry.row = (int)row;
    entry.column = (int)column;
    return keep(in, &entry, 1);
}

/* Usual lines at the beginning of the text. */
static bool take_lines(struct reader *in)
{
    const int pieces = qp_market_input_take(&in->text, &in->market, in->symmetric, in->integer);
    for (int k = 0; k < pieces; k++) {
        if (!keep(in, in->text.piece[k].entry, in->text.piece[k].count))
            return false;
        in->number += in->text.piece[k].lines;
    }
    return true;
}

/* The lines of data, exactly as many as promised. Array files have one value a line, too: some
 * readers take several, but then a lost line end goes unseen. */
static bool read_lines(struct reader *in)
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
        if (!next_line(in))
            return false;
        if (in->words > 0 &&
            !(in->done == in->lines ? refuse(in, more, in->lines) : read_entry(in)))
            return false;
    } while (!in->over);
    return in->done == in->lines || refuse(in,
                                           "truncated: it ends before the %zu promised entries "
                                           "(correct the file or its size line)",
                                           in->lines);
}

/* Reads from an open file, and closes it. */
static enum qp_status read_all(struct reader *in, struct qp_market *out)
{
    struct qp_plain_numbers numbers;
    if (!qp_plain_numbers_begin(&numbers) ||
        !qp_market_input_begin(&in->text, in->file.file, in->file.bytes))
        in->status = qp_fail(QP_NO_MEMORY, "%s: no memory to read it (free some)", in->file.name);
    const bool good = in->status == QP_OK && in->file.file != NULL && read_header(in) &&
                      read_size(in) && weigh(in) && read_lines(in);
    if (good && in->symmetric && in->market.dense && !qp_market_unpack(&in->market))
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
    struct reader reader = {.status = QP_OK};
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = (struct qp_market){0};
    if (QP_NEED(path))
        return QP_BAD_USE;
    reader.status = qp_input_open(path, &reader.file);
    return read_all(&reader, out);
}

enum qp_status qp_market_read_text(const char *name, const unsigned char *text, size_t bytes,
                                   struct qp_market *out)
{
    struct reader reader = {.file = {.name = name, .bytes = bytes}, .status = QP_OK};
    reader.file.file = fmemopen((void *)(uintptr_t)text, bytes, "r");
    if (reader.file.file == NULL)
        reader.status = qp_fail(QP_NO_MEMORY, "%s: no memory to read it", name);
    return read_all(&reader, out);
}
