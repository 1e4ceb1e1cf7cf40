/* SPDX-License-Identifier: MIT */
/* The header is a stranger's promise in Python's words: a dictionary of three keys, each read
 * strictly, and held against file and machine before it costs memory. The data after it are exactly
 * as many bytes as it says. */
#include "toolkit/io/npy.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/base/text.h"
#include "toolkit/base/values.h"
#include "toolkit/base/watch.h"
#include "toolkit/io/formats.h"
#include "toolkit/io/input.h"

enum {
    MAGIC_BYTES = 8,     /* "\x93NUMPY", major and minor number */
    MOST_HEADER = 10000, /* bytes, as NumPy itself has it */
    PIECE_BYTES =
        1 << 20 /* from one look at the interrupt flag to the next, and what a pipe gets at first */
};

enum { MOST_AXES = 3 };

/* Type of elements in a file. */
struct element {
    char kind;   /* NumPy's letter: b, i, u or f */
    bool is_big; /* the most significant byte comes first */
    unsigned bytes;
    enum qp_precision precision; /* holds every value that is read exactly */
};

/* An array on its way in. */
struct reader {
    struct qp_input_file input;
    size_t start; /* the header's text, in bytes from the beginning of the file */
    size_t length;
    const char *at; /* in that text, which ends in NUL */
    struct element type;
    bool fortran;
    int axes, axis[MOST_AXES];
    bool known[3]; /* keys that were read */
    int width, height, channels;
    size_t bytes;        /* data that the header promises */
    unsigned char *data; /* as in the file */
    size_t room;         /* bytes there */
    struct qp_matrix matrix;
    enum qp_status status; /* why a function answered false */
    char header[MOST_HEADER + 1];
};

/* ---- Elements ---- */

/* Finds a type by NumPy's name, such as "<f4"; false for a type that is not read. */
static bool find_type(const char *name, struct element *type)
{
    const char order = name[0], kind = name[1], digit = name[1] != '\0' ? name[2] : '\0';
    if (strlen(name) != 3 || strchr("<>|", order) == NULL || strchr("biuf", kind) == NULL ||
        strchr(kind == 'b'   ? "1"
               : kind == 'f' ? "248"
                             : "1248",
               digit) == NULL ||
        (order == '|' && digit != '1'))
        return false;
    const bool wide = digit == '8' || (digit == '4' && kind != 'f');
    *type = (struct element){.kind = kind,
                             .is_big = order == '>',
                             .bytes = (unsigned)(digit - '0'),
                             .precision = wide ? QP_DOUBLES : QP_FLOATS};
    return true;
}

/* IEEE 754's half: a sign, 5 bits of exponent biased by 15, 10 bits of fraction. */
static double half(uint64_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double size = exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
                        : exponent > 0 ? ldexp(1024 + fraction, exponent - 25)
                                       : ldexp(fraction, -24);
    return bits >> 15 & 1 ? -size : size;
}

/* A whole number; false beyond 2^53, above which doubles have gaps. */
static bool whole(const struct element *type, uint64_t bits, double *value)
{
    const uint64_t most = UINT64_C(1) << 53, sign = UINT64_C(1) << (8 * type->bytes - 1);
    const bool is_negative = type->kind == 'i' && (bits & sign) != 0;
    const uint64_t size = is_negative ? 2 * sign - bits : bits;
    *value = is_negative ? -(double)size : (double)size;
    return size <= most;
}

/* Decodes an element, on a processor of any order; false for an integer beyond 2^53, whose nearest
 * double *value is. */
static bool decode(const struct element *type, const unsigned char *bytes, double *value)
{
    uint64_t bits = 0;
    float single;
    for (unsigned i = 0; i < type->bytes; i++)
        bits = bits << 8 | bytes[type->is_big ? i : type->bytes - 1 - i];
    const uint32_t low = (uint32_t)bits;
    if (type->kind == 'b')
        *value = bits != 0;
    else if (type->kind != 'f')
        return whole(type, bits, value);
    else if (type->bytes == 2)
        *value = half(bits);
    else if (type->bytes == 4) {
        memcpy(&single, &low, sizeof single);
        *value = single;
    } else
        memcpy(value, &bits, sizeof *value);
    return true;
}

/* ---- Refusals ---- */

/* Stores "file: byte N: reason" and answers false. */
__attribute__((format(printf, 3, 4))) static bool refuse_at(struct reader *in, size_t byte,
                                                            const char *format, ...)
{
    char reason[QP_INPUT_REASON];
    va_list arguments;
    va_start(arguments, format);
    qp_input_reason(reason, format, arguments);
    va_end(arguments);
    in->status = qp_fail(QP_BAD_INPUT, "%s: byte %zu: %s", in->input.name, byte, reason);
    return false;
}

/* The same, where the header is being read. */
#define refuse(in, ...) refuse_at(in, (in)->start + (size_t)((in)->at - (in)->header), __VA_ARGS__)

static const char write_anew[] = "write it by numpy.save";

/* ---- The beginning of the file ---- */

static bool read_exactly(struct reader *in, void *to, size_t bytes, size_t from)
{
    const size_t got = fread(to, 1, bytes, in->input.file);
    if (ferror(in->input.file))
        return refuse_at(in, from + got, "cannot be read: %s (give a file)", strerror(errno));
    return got == bytes ||
           refuse_at(in, from + got, "truncated: it ends inside the header (fetch it anew)");
}

/* Magic, format, length of the text, text. */
static bool read_header(struct reader *in)
{
    unsigned char head[MAGIC_BYTES + 4] = {0};
    if (!read_exactly(in, head, MAGIC_BYTES, 0))
        return false;
    const struct qp_file_format *other = qp_format_of((const char *)head, MAGIC_BYTES);
    if (memcmp(head, "\x93NUMPY", 6) != 0)
        return other != NULL
                   ? refuse_at(in, 0, "this is %s, and no .npy file (%s)", other->name,
                               other->advice)
                   : refuse_at(in, 0, "this is no .npy file (%s; of an .npz take one array)",
                               write_anew);
    if (head[6] < 1 || head[6] > 3 || head[7] != 0)
        return refuse_at(in, 6, "format %d.%d, and 1.0, 2.0 and 3.0 are read (%s)", head[6],
                         head[7], write_anew);
    const size_t count = head[6] == 1 ? 2 : 4;
    if (!read_exactly(in, head + MAGIC_BYTES, count, MAGIC_BYTES))
        return false;
    for (size_t i = count; i > 0; i--)
        in->length = in->length << 8 | head[MAGIC_BYTES + i - 1];
    in->start = MAGIC_BYTES + count;
    if (in->length > MOST_HEADER)
        return refuse_at(in, MAGIC_BYTES, "a header of %zu bytes, and at most %d are read (%s)",
                         in->length, MOST_HEADER, write_anew);
    return read_exactly(in, in->header, in->length, in->start);
}

/* ---- The header's text ---- */

static void skip_blanks(struct reader *in)
{
    in->at += strspn(in->at, " \t\r\n");
}

/* Takes this character, after blanks, if it comes next. */
static bool take(struct reader *in, char wanted)
{
    skip_blanks(in);
    const bool there = *in->at == wanted;
    in->at += there;
    return there;
}

static bool expect(struct reader *in, char wanted)
{
    return take(in, wanted) ||
           refuse(in, "no '%c' where the header needs one (%s)", wanted, write_anew);
}

/* A word in quotes, of either kind. */
static bool read_word(struct reader *in, const char *what, char word[24])
{
    skip_blanks(in);
    const char quote = *in->at;
    const size_t length = quote != '\0' ? strcspn(in->at + 1, "'\"\\") : 0;
    if ((quote != '\'' && quote != '"') || in->at[length + 1] != quote || length >= 24)
        return refuse(in, "no %s in quotes (%s)", what, write_anew);
    memcpy(word, in->at + 1, length);
    word[length] = '\0';
    in->at += length + 2;
    return true;
}

/* Each advice keeps all digits. */
static bool refuse_type(struct reader *in, const char *word)
{
    static const char *const others[][3] = {
        {"c", "complex numbers", "save a.real and a.imag apart"},
        {"f", "floats of more than 8 bytes",
         "save h = a.astype('<f8'), and (a - h).astype('<f8') apart"},
        {"O", "Python's objects", "save numpy.array(a.tolist()), which has a type of numbers"},
        {"V", "raw bytes", "save a.view(T), T the type that they have"},
        {"Mm", "times", "save a.astype('<i8')"},
        {"SU", "text", "save a.astype('<f8')"}};
    for (size_t k = 0; word[0] != '\0' && k < sizeof others / sizeof others[0]; k++)
        if (word[1] != '\0' && strchr(others[k][0], word[1]) != NULL)
            return refuse(in, "elements are '%s', %s (%s)", word, others[k][1], others[k][2]);
    return refuse(in, "elements are '%s', and b1, i1 to i8, u1 to u8, f2, f4 and f8 are read (%s)",
                  word, write_anew);
}

static bool read_type(struct reader *in)
{
    char word[24];
    skip_blanks(in);
    const char *const place = in->at;
    if (*place == '[')
        return refuse(in, "an array with fields (save one of them: numpy.save(file, a['name']))");
    if (!read_word(in, "type", word))
        return false;
    if (find_type(word, &in->type))
        return true;
    in->at = place;
    return refuse_type(in, word);
}

static bool read_order(struct reader *in)
{
    skip_blanks(in);
    in->fortran = strncmp(in->at, "True", 4) == 0;
    if (!in->fortran && strncmp(in->at, "False", 5) != 0)
        return refuse(in, "'fortran_order' is neither True nor False (%s)", write_anew);
    in->at += in->fortran ? 4 : 5;
    return true;
}

/* Reads a number of the shape. */
static bool read_axis(struct reader *in)
{
    char *end;
    skip_blanks(in);
    errno = 0;
    const long length = isdigit((unsigned char)*in->at) ? strtol(in->at, &end, 10) : -1;
    if (length < 0)
        return refuse(in, "an axis of 'shape' is no whole number (%s)", write_anew);
    if (length == 0)
        return refuse(in, "an axis of length 0: no element (save an array that has some)");
    if (errno != 0 || length > INT_MAX)
        return refuse(in, "an axis longer than %d (save a part)", INT_MAX);
    if (in->axes == MOST_AXES)
        return refuse(in, "more than %d axes (save a part, such as a[0])", MOST_AXES);
    in->axis[in->axes++] = (int)length;
    in->at = end + (*end == 'L'); /* as Python 2 writes long integers */
    return true;
}

/* (width,), (height, width) or (height, width, channels). */
static bool read_shape(struct reader *in)
{
    skip_blanks(in);
    const char *const place = in->at;
    if (!expect(in, '('))
        return false;
    while (!take(in, ')')) {
        if (!read_axis(in))
            return false;
        if (take(in, ','))
            continue;
        if (!expect(in, ')'))
            return false;
        break;
    }
    const char *const end = in->at;
    in->at = place;
    if (in->axes == 0)
        return refuse(in, "a single number (save numpy.atleast_1d(a))");
    in->channels = in->axes == 3 ? in->axis[2] : 1;
    if (!qp_npy_is_channels(in->channels))
        return refuse(in, "a last axis of %d, and 1, 2 or 4 channels are read (save a[:, :, 0])",
                      in->channels);
    in->height = in->axes > 1 ? in->axis[0] : 1;
    in->width = in->axes > 1 ? in->axis[1] : in->axis[0];
    if (in->width > INT_MAX / in->channels)
        return refuse(in, "rows of %d x %d values, and at most %d are read (save a part)",
                      in->channels, in->width, INT_MAX);
    in->at = end;
    return true;
}

static bool read_key(struct reader *in)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    static bool (*const read[])(struct reader *) = {read_type, read_order, read_shape};
    char word[24];
    skip_blanks(in);
    const char *const place = in->at;
    if (!read_word(in, "key", word))
        return false;
    const int k = qp_text_place(keys, 3, word);
    if (k == 3 || in->known[k]) {
        in->at = place;
        return refuse(in, "%s key '%s' (%s)", k == 3 ? "an unknown" : "a second", word, write_anew);
    }
    in->known[k] = true;
    return expect(in, ':') && read[k](in);
}

static bool read_dictionary(struct reader *in)
{
    in->at = in->header;
    if (!expect(in, '{'))
        return false;
    while (!take(in, '}')) {
        if (!read_key(in))
            return false;
        if (take(in, ','))
            continue;
        if (!expect(in, '}'))
            return false;
        break;
    }
    skip_blanks(in);
    if (in->at != in->header + in->length)
        return refuse(in, "more text after the header's last brace (%s)", write_anew);
    return (in->known[0] && in->known[1] && in->known[2]) ||
           refuse(in, "no key '%s' (%s)",
                  !in->known[0]   ? "descr"
                  : !in->known[1] ? "fortran_order"
                                  : "shape",
                  write_anew);
}

/* ---- The data ---- */

/* Holds the promise against the file, and the memory it costs against the machine, in double, which
 * does not overflow: the bytes of the file and the matrix are stored at once. */
static bool weigh(struct reader *in)
{
    const size_t begin = in->start + in->length;
    const double values = (double)in->width * in->height * in->channels;
    const double promised = values * in->type.bytes;
    const double need = promised + values * (double)qp_value_bytes(in->type.precision);
    if (in->input.bytes < SIZE_MAX && promised > (double)in->input.bytes - (double)begin)
        return refuse_at(in, in->input.bytes,
                         "truncated: it ends here, and the header promises %.0f bytes of "
                         "data (fetch it anew)",
                         promised);
    in->status = qp_input_check_memory(&in->input, need);
    if (in->status != QP_OK)
        return false;
    in->bytes = (size_t)promised;
    return true;
}

/* A file, weighed before, gets its room at once; a pipe has to deliver half of it before it gets
 * the rest. */
static bool reserve(struct reader *in)
{
    const size_t next = in->room > 0 ? 2 * in->room : PIECE_BYTES;
    const size_t room = in->input.bytes < SIZE_MAX || next > in->bytes ? in->bytes : next;
    unsigned char *data = realloc(in->data, room);
    if (data == NULL) {
        in->status =
            qp_fail(QP_NO_MEMORY, "%s: no memory for %zu bytes (free some)", in->input.name, room);
        return false;
    }
    in->data = data;
    in->room = room;
    return true;
}

static bool read_data(struct reader *in)
{
    const size_t bytes = in->bytes;
    const size_t begin = in->start + in->length;
    for (size_t have = 0, got; have < bytes; have += got) {
        if (have == in->room && !reserve(in))
            return false;
        if (qp_watch_leaves((double)have / (double)bytes)) {
            in->status = qp_watch_fail();
            return false;
        }
        const size_t most = in->room - have < PIECE_BYTES ? in->room - have : PIECE_BYTES;
        got = fread(in->data + have, 1, most, in->input.file);
        if (ferror(in->input.file))
            return refuse_at(in, begin + have + got, "cannot be read: %s (give a file)",
                             strerror(errno));
        if (got < most)
            return refuse_at(in, begin + have + got,
                             "truncated: %zu of %zu bytes of data (fetch it anew)", have + got,
                             bytes);
    }
    return getc(in->input.file) == EOF ||
           refuse_at(in, begin + bytes, "more data than the header promises (%s)", write_anew);
}

/* Element [y, x, c] is number (y width + x) channels + c in C's order and y + height (x + width c)
 * in Fortran's. */
static bool fill(struct reader *in)
{
    const size_t width = (size_t)in->width, height = (size_t)in->height,
                 channels = (size_t)in->channels;
    void *values = qp_matrix_values(&in->matrix);
    for (size_t i = 0; i < width * height * channels; i++) {
        const size_t c = i % channels, x = i / channels % width, y = i / channels / width;
        const size_t from = in->fortran ? y + height * (x + width * c) : i;
        if (i % PIECE_BYTES == 0 && qp_watch_leaves((double)y / (double)height)) {
            in->status = qp_watch_fail();
            return false;
        }
        double value;
        if (!decode(&in->type, in->data + from * in->type.bytes, &value))
            return refuse_at(in, in->start + in->length + from * in->type.bytes,
                             "an integer near %.17g, and at most 2^53 is exact in a double (divide "
                             "by a power of two)",
                             value);
        qp_set_value(values, in->type.precision, i, value);
    }
    return true;
}

static bool make_matrix(struct reader *in)
{
    in->status =
        qp_matrix_make(in->width * in->channels, in->height, in->type.precision, &in->matrix);
    if (in->status != QP_OK)
        qp_fail_within(in->status, "%s", in->input.name);
    return in->status == QP_OK && fill(in);
}

enum qp_status qp_npy_read(const char *path, struct qp_matrix *out, int *channels)
{
    struct reader in = {.status = QP_OK};
    in.status = qp_input_open(path, &in.input);
    const bool good = in.status == QP_OK && read_header(&in) && read_dictionary(&in) &&
                      weigh(&in) && read_data(&in) && make_matrix(&in);
    qp_input_close(&in.input);
    free(in.data);
    if (!good)
        qp_matrix_destroy(&in.matrix);
    *out = in.matrix;
    *channels = good ? in.channels : 0;
    return in.status;
}
