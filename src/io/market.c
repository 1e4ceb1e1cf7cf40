/* SPDX-License-Identifier: MIT */
/* Matrix Market files (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, NISTIR 5935,
 * 1996), read in one pass and strictly: what is skipped in silence comes back as a wrong solution.
 * Only comments, blank lines and blanks are free. The size line is a stranger's promise, held
 * against file and machine before it costs memory. Numbers are those of the C locale. */
#include "io/market.h"

#include <errno.h>
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

#define LINE_LIMIT  65535 /* bytes of a line; with its end 64 KiB */
#define FIRST_LINES 4096  /* lines that a pipe gets memory for before it has delivered any */
#define LOOK_LINES  4096  /* lines from one look at the interrupt flag to the next */
#define FLOAT_END   0x1.ffffffp127 /* the least double that rounds to an infinite float */

/* A matrix on its way in. A line of data makes one entry, or two where it is mirrored. */
struct reader {
    const char *name;
    FILE *file;
    size_t bytes;  /* in the file; SIZE_MAX when a pipe does not tell */
    size_t number; /* of the current line, from 1; after the last, of the missing one */
    size_t words;  /* number of words on that line; word[] holds the first few */
    char *word[5];
    bool integer;
    bool symmetric;
    size_t lines;    /* lines of data that the size line promises */
    size_t room;     /* lines of data there is memory for */
    uint64_t *taken; /* hash set of places, row * 2^32 + column from 1; 2 * room slots, 0 if free */
    struct qp_market market;
    enum qp_status status; /* why a function answered false */
    char text[LINE_LIMIT + 1];
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
    in->status = qp_fail(QP_BAD_INPUT, "%s:%zu: %s", in->name, in->number, reason);
    return false;
}

/* Reads one line, which at the end of the file has no words, and cuts it in place. */
static bool cut_line(struct reader *in)
{
    size_t length = 0;
    int c, last = ' ';
    in->words = 0;
    in->number++;
    while ((c = getc_unlocked(in->file)) != '\n' && c != EOF) {
        if (c == '\0' || length == LINE_LIMIT)
            return refuse(in, "a NUL byte or over 64 KiB on a line (give a text file)");
        if (c == '\t' || c == '\r')
            c = ' ';
        if (c != ' ' && last == ' ' && in->words++ < 5)
            in->word[in->words - 1] = in->text + length;
        in->text[length++] = c == ' ' ? '\0' : (char)c;
        last = c;
    }
    in->text[length] = '\0';
    return !ferror(in->file) || refuse(in, "cannot be read: %s (give a file)", strerror(errno));
}

/* The next line that is neither blank nor a comment; without words after the last one. */
static bool next_line(struct reader *in)
{
    do {
        if (!cut_line(in))
            return false;
        if (in->words > 0 && in->word[0][0] == '%')
            in->words = 0;
    } while (in->words == 0 && !feof(in->file));
    return true;
}

static bool expect(struct reader *in, size_t words, const char *form)
{
    if (in->words == 0)
        return refuse(in, "an empty line or the end of the file (%s)", form);
    return in->words == words ||
           refuse(in, "%zu word%s on this line (%s)", in->words, in->words == 1 ? "" : "s", form);
}

/* Refuses other file formats, told by their first bytes, and says how to convert them. */
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
        if (strncmp(in->text, formats[k][0], strlen(formats[k][0])) == 0)
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
    if (fabs(*value) >= FLOAT_END)
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
    const size_t most = in->bytes / (dense ? 2 : 6) + 1;
    /* 8-byte words a line: entry 2, mirror image 2, slots old and new 3; value 1, square 2 */
    const int sparse = in->symmetric ? 7 : 5, array = in->symmetric ? 3 : 1;
    const double need = (double)in->lines * (dense ? array : sparse) * 8;
    const double have = qp_memory_there();
    if (in->lines > most)
        return refuse(in, "truncated: bytes for %zu of %zu entries (fetch it anew)", most,
                      in->lines);
    if (need > have)
        in->status = qp_fail(QP_BAD_INPUT, "%s:%zu: %.1f GiB needed, %.1f there (add memory)",
                             in->name, in->number, need / 0x1p30, have / 0x1p30);
    return need <= have;
}

/* Takes a place and says whether it was free. The last steps of splitmix64 scatter the places, so
 * that no pattern piles them up; probing is linear. */
static bool take(uint64_t *taken, size_t slots, uint64_t place)
{
    uint64_t hash = (place ^ place >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    size_t slot = (hash ^ hash >> 31) % slots;
    while (taken[slot] != 0 && taken[slot] != place)
        slot = slot + 1 < slots ? slot + 1 : 0;
    bool was_free = taken[slot] == 0;
    taken[slot] = place;
    return was_free;
}

/* Makes room for `lines` of data, at least one, and with it rebuilds the set. */
static bool reserve(struct reader *in, size_t lines)
{
    struct qp_market *market = &in->market;
    const bool sparse = !market->dense;
    const size_t count = sparse && in->symmetric ? 2 * lines : lines, slots = 2 * lines;
    int *row = sparse ? realloc(market->row, count * sizeof *row) : NULL;
    int *column = sparse ? realloc(market->column, count * sizeof *column) : NULL;
    double *value = realloc(market->value, count * sizeof *value);
    uint64_t *taken = sparse ? calloc(slots, sizeof *taken) : NULL;
    market->row = row != NULL ? row : market->row;
    market->column = column != NULL ? column : market->column;
    market->value = value != NULL ? value : market->value;
    if (value == NULL || (sparse && (row == NULL || column == NULL || taken == NULL))) {
        free(taken);
        in->status =
            qp_fail(QP_NO_MEMORY, "%s: no memory for %zu entries (free some)", in->name, count);
        return false;
    }
    for (size_t k = 0; sparse && k < 2 * in->room; k++)
        if (in->taken[k] != 0)
            take(taken, slots, in->taken[k]);
    free(in->taken);
    in->taken = taken;
    in->room = lines;
    return true;
}

static void append(struct qp_market *market, long long row, long long column, double value)
{
    market->row[market->count] = (int)row - 1;
    market->column[market->count] = (int)column - 1;
    market->value[market->count++] = value;
}

/* A line "row column value". Of a symmetric matrix the format stores the lower triangle only: an
 * entry above the diagonal would meet the mirror image of one below. */
static bool read_entry(struct reader *in)
{
    struct qp_market *market = &in->market;
    long long row, column;
    double value;
    if (!parse_whole(in, in->word[0], "the row", 1, market->rows, &row) ||
        !parse_whole(in, in->word[1], "the column", 1, market->columns, &column) ||
        !parse_value(in, in->word[2], &value))
        return false;
    if (in->symmetric && column > row)
        return refuse(in, "row %lld, column %lld is above the diagonal (mirror it)", row, column);
    if (!take(in->taken, 2 * in->room, (uint64_t)row << 32 | (uint64_t)column))
        return refuse(in, "a second entry at row %lld, column %lld (join them)", row, column);
    append(market, row, column, value);
    if (in->symmetric && row != column)
        append(market, column, row, value);
    return true;
}

/* The lines of data, exactly as many as promised. Array files have one value a line, too: some
 * readers take several, but then a lost line end goes unseen. A file, weighed before, gets its room
 * at once; a pipe has to deliver half of it before it gets the rest. */
static bool read_lines(struct reader *in)
{
    struct qp_market *market = &in->market;
    const bool dense = market->dense;
    for (size_t k = 0; next_line(in); k++) {
        bool ended = in->words == 0;
        if (k % LOOK_LINES == 0 && qp_watch_leaves((double)k / (double)(in->lines + 1))) {
            in->status = qp_watch_fail();
            return false;
        }
        if (ended && k == in->lines)
            return true;
        if (ended || k == in->lines)
            return refuse(in, "%s the %zu promised entries (correct the file or its size line)",
                          ended ? "truncated: it ends before" : "more data after", in->lines);
        if (!expect(in, dense ? 1 : 3, dense ? "write 'value'" : "write 'row column value'"))
            return false;
        size_t next = in->bytes < SIZE_MAX ? in->lines : 2 * k + FIRST_LINES;
        if (k == in->room && !reserve(in, next < in->lines ? next : in->lines))
            return false;
        if (dense ? !parse_value(in, in->word[0], &market->value[market->count++])
                  : !read_entry(in))
            return false;
    }
    return false;
}

/* Spreads the lower triangle of an array, packed column by column, over the whole square. */
static bool unpack(struct reader *in)
{
    const double *packed = in->market.value;
    const size_t n = (size_t)in->market.rows;
    double *square = qp_alloc(n * n, sizeof *square, "a symmetric array");
    for (size_t j = 0; square != NULL && j < n; j++)
        for (size_t i = j; i < n; i++)
            square[j * n + i] = square[i * n + j] = *packed++;
    free(in->market.value);
    in->market.value = square;
    in->market.count = n * n;
    in->status = square != NULL ? QP_OK : qp_fail_within(QP_NO_MEMORY, "%s", in->name);
    return square != NULL;
}

/* Reads from an open file, and closes it. */
static enum qp_status read_all(struct reader *in, struct qp_market *out)
{
    struct qp_plain_numbers numbers;
    if (!qp_plain_numbers_begin(&numbers))
        in->status = qp_fail(QP_NO_MEMORY, "%s: no memory to read numbers with a point", in->name);
    bool good = in->status == QP_OK && in->file != NULL && read_header(in) && read_size(in) &&
                weigh(in) && read_lines(in) && (!in->symmetric || !in->market.dense || unpack(in));
    qp_plain_numbers_end(&numbers);
    if (in->file != NULL && in->file != stdin)
        fclose(in->file);
    free(in->taken);
    if (!good)
        qp_market_destroy(&in->market);
    *out = in->market;
    return in->status;
}

enum qp_status qp_market_read(const char *path, struct qp_market *out)
{
    struct reader reader = {.status = QP_OK};
    struct qp_input_file input;
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = (struct qp_market){0};
    if (QP_NEED(path))
        return QP_BAD_USE;
    reader.status = qp_input_open(path, &input);
    reader.name = input.name;
    reader.file = input.file;
    reader.bytes = input.bytes;
    return read_all(&reader, out);
}

enum qp_status qp_market_read_text(const char *name, const unsigned char *text, size_t bytes,
                                   struct qp_market *out)
{
    struct reader reader = {.name = name, .bytes = bytes, .status = QP_OK};
    reader.file = fmemopen((void *)(uintptr_t)text, bytes, "r");
    if (reader.file == NULL)
        reader.status = qp_fail(QP_NO_MEMORY, "%s: no memory to read it", name);
    return read_all(&reader, out);
}

void qp_market_destroy(struct qp_market *market)
{
    if (market == NULL)
        return;
    free(market->row);
    free(market->column);
    free(market->value);
    *market = (struct qp_market){0};
}
