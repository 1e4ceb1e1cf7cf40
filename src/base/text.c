/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <stddef.h>
#include <string.h>

int qp_text_character(const unsigned char *at)
{
    const int length = at[0] < 0x80                    ? 1
                       : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                       : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                       : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                       : 0;
    for (int i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    }
    const bool too_long = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
    const bool too_high = (at[0] == 0xed && at[1] >= 0xa0) || (at[0] == 0xf4 && at[1] >= 0x90);
    return too_long || too_high ? 0 : length;
}

const char *qp_blank_comments(char *text)
{
    const char *open = NULL;
    enum { CODE, LINE, BLOCK } in = CODE;
    for (char *at = text; *at != '\0'; at++) {
        if (in == CODE && at[0] == '/' && (at[1] == '/' || at[1] == '*')) {
            in = at[1] == '/' ? LINE : BLOCK;
            open = at;
            at[0] = at[1] = ' ';
            at++;
        } else if (in == LINE && *at == '\n') {
            in = CODE;
        } else if (in == BLOCK && at[0] == '*' && at[1] == '/') {
            in = CODE;
            at[0] = at[1] = ' ';
            at++;
        } else if (in != CODE && *at != '\n') {
            *at = ' ';
        }
    }
    return in == BLOCK ? open : NULL;
}

const char *qp_find_word(const char *text, const char *at, const char *word)
{
    const size_t length = strlen(word);
    while ((at = strstr(at, word)) != NULL &&
           ((at > text && qp_is_letter(at[-1])) || qp_is_letter(at[length])))
        at += length;
    return at;
}

int qp_line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}
