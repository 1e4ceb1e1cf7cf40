/* SPDX-License-Identifier: MIT */
/* Characters, comments and lines of text that others typed. */
#ifndef QP_BASE_TEXT_H
#define QP_BASE_TEXT_H

#include <ctype.h>
#include <stdbool.h>

/* True for what names of C and GLSL are made of. */
static inline bool qp_is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Bytes of the UTF-8 character that begins here, 1 to 4; 0 where none does (RFC 3629: no longer form than
 * needed, no surrogates, nothing above U+10FFFF). The text ends in NUL. */
int qp_text_character(const unsigned char *at);

/* Puts blanks in the place of comments as C and GLSL have them, so that nothing in them is found; lines stay where they
 * are. Returns the place of a comment that never ends; NULL: each does. */
const char *qp_blank_comments(char *text);

/* The first place from `at` on where a text has this word alone; NULL if it has none. */
const char *qp_find_word(const char *text, const char *at, const char *word);

/* The line in which a place of a text is, from 1 on. */
int qp_line_of(const char *text, const char *at);

#endif
