/* SPDX-License-Identifier: MIT */
/* Characters of text that others typed. */
#ifndef QP_BASE_TEXT_H
#define QP_BASE_TEXT_H

#include <ctype.h>
#include <stdbool.h>

/* True for what names of C and GLSL are made of. */
static inline bool qp_is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Bytes of the UTF-8 character that begins here, 1 to 4; 0 where none does (RFC 3629: no longer
 * form than needed, no surrogates, nothing above U+10FFFF). The text ends in NUL. */
int qp_text_character(const unsigned char *at);

/* The number, from 1 on, of a text among words with blanks between them, where the * of gl_* or
 * *_at is any letters; 0: it is none of them. */
int qp_word_number(const char *words, const char *text, int length);

/* A finite number with the fewest digits that read back as the same double, and with a point or an
 * exponent, as C and GLSL take one. Returns `text`. */
const char *qp_number_text(double value, char text[32]);

#endif
