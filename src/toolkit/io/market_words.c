/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/io/market_reader.h"

/* Stores "file:line: reason" and answers false. */
bool qp_market_refuse(struct qp_market_file *in, const char *format, ...)
{
    char reason[QP_INPUT_REASON];
    va_list arguments;
    va_start(arguments, format);
    qp_input_reason(reason, format, arguments);
    va_end(arguments);
    in->status = qp_fail(QP_BAD_INPUT, "%s:%zu: %s", in->file.name, in->number, reason);
    return false;
}

/* Reads one line, which at the end of the file has no words, and cuts it in place. */
bool qp_market_cut_line(struct qp_market_file *in)
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
            return qp_market_refuse(in,
                                    "a NUL byte or over 64 KiB on a line (give a text file, or an "
                                    "array by numpy.save)");
        in->returns |= c == '\r' && text->at < text->end && *text->at != '\n';
        if (c == '\t' || c == '\r')
            c = ' ';
        if (c != ' ' && last == ' ' && in->words++ < 5)
            in->word[in->words - 1] = in->cut + length;
        in->cut[length++] = c == ' ' ? '\0' : c;
        last = c;
    }
    in->cut[length] = '\0';
    return !in->over || text->error == 0 ||
           qp_market_refuse(in, "cannot be read: %s (give a file)", strerror(text->error));
}

/* The next line that is neither blank nor a comment; without words after the last one. */
bool qp_market_next_line(struct qp_market_file *in)
{
    do {
        if (!qp_market_cut_line(in))
            return false;
        if (in->words > 0 && in->word[0][0] == '%')
            in->words = 0;
    } while (in->words == 0 && !in->over);
    return true;
}

bool qp_market_expect(struct qp_market_file *in, size_t words, const char *form)
{
    if (in->words == 0)
        return qp_market_refuse(in,
                                in->over && in->number == 1
                                    ? "the file is empty (%s)"
                                    : "an empty line or the end of the file (%s)",
                                form);
    return in->words == words || qp_market_refuse(in, "%zu word%s on this line (%s)", in->words,
                                                  in->words == 1 ? "" : "s", form);
}

/* strtoll stops at the ends of long long, beyond any `most` here. */
bool qp_market_whole(struct qp_market_file *in, const char *word, const char *what, long long least,
                     long long most, long long *number)
{
    char *stop;
    *number = strtoll(word, &stop, 10);
    return (*stop == '\0' && *number >= least && *number <= most) ||
           qp_market_refuse(in, "%s '%.40s' is not a whole number from %lld to %lld (correct it)",
                            what, word, least, most);
}

bool qp_market_whole_place(struct qp_market_file *in, const char *word, const char *what, int most,
                           long long *number)
{
    return strcmp(word, "0") != 0
               ? qp_market_whole(in, word, what, 1, most, number)
               : qp_market_refuse(
                     in, "%s is 0, and they count from 1 (are these from 0? add 1 to all)", what);
}

/* Fortran's exponent letter D is welcome; what strtod takes beyond decimals, NaN and 0x10, is not.
 * One too small for a double is 0. */
bool qp_market_value(struct qp_market_file *in, char *word, double *value)
{
    char *stop = word + strspn(word, "+-.0123456789eEdD"), *letter = strpbrk(word, "dD");
    if (*stop == '\0') {
        if (letter != NULL)
            *letter = 'e';
        *value = strtod(word, &stop);
    }
    if (*stop != '\0')
        return qp_market_refuse(in, "the value '%.40s' is not a finite decimal number (correct it)",
                                word);
    if (!isfinite(*value))
        return qp_market_refuse(in,
                                "the value %.40s is beyond double, whose largest is 1.8e308 "
                                "(scale the system)",
                                word);
    if (in->numbers != QP_MARKET_REAL && *value != floor(*value))
        return qp_market_refuse(in, "the value %.40s is no integer (write 'real' in the header)",
                                word);
    return in->numbers != QP_MARKET_UNSIGNED || *value >= 0.0 ||
           qp_market_refuse(in, "the value %.40s is negative (write 'integer' in the header)",
                            word);
}
