/* SPDX-License-Identifier: MIT */
/* Characters of text that others typed. */
#ifndef QP_BASE_TEXT_H
#define QP_BASE_TEXT_H

#include <ctype.h>
#include <stdbool.h>

#include <quadpass/status.h>

/* True for what names of C and GLSL are made of. */
static inline bool qp_is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Bytes of the UTF-8 character that begins here, 1 to 4; 0 where none does (RFC 3629: no longer
 * form than needed, no surrogates, nothing above U+10FFFF). The text ends in NUL. */
int qp_text_character(const unsigned char *at);

/* True for control characters: below 0x20, 0x7f, and in UTF-8 U+0080 to U+009F. */
bool qp_text_steers(const unsigned char *at);

/* QP_BAD_INPUT for a file's name with what is not printable, control characters or bytes that are
 * no UTF-8, with its first place; `thing` is whose name it is: "the kernel file". */
enum qp_status qp_text_check_name(const char *thing, const char *name);

/* The number, from 1 on, of a text among words with blanks between them, where the * of gl_* or
 * *_at is any letters; 0: it is none of them. */
int qp_word_number(const char *words, const char *text, int length);

/* Place of a text among names; their number if it is none of them. */
int qp_text_place(const char *const names[], int count, const char *text);

/* A finite number with the fewest digits that read back as the same double, and with a point or an
 * exponent, as C and GLSL take one. Returns `text`. */
const char *qp_number_text(double value, char text[32]);

#endif
