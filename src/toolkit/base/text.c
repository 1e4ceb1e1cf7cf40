/* SPDX-License-Identifier: MIT */
#include "toolkit/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"

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

bool qp_text_steers(const unsigned char *at)
{
    return at[0] < 0x20 || at[0] == 0x7f || (at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0);
}

enum qp_status qp_text_check_name(const char *thing, const char *name)
{
    const unsigned char *first = (const unsigned char *)name, *at = first;
    while (*at != '\0' && !qp_text_steers(at) && qp_text_character(at) > 0)
        at += qp_text_character(at);
    return *at == '\0' ? QP_OK
                       : qp_fail(QP_BAD_INPUT,
                                 "the name of %s has a byte, 0x%02x in place %d, that is not "
                                 "printable; rename it",
                                 thing, *at, (int)(at - first) + 1);
}

const char *qp_number_text(double value, char text[32])
{
    text[0] = '\0';
    for (int digits = 1; digits <= 17 && (digits == 1 || strtod(text, NULL) != value); digits++)
        snprintf(text, 30, "%.*g", digits, value);
    return strpbrk(text, ".e") == NULL ? strcat(text, ".0") : text;
}

int qp_text_place(const char *const names[], int count, const char *text)
{
    int k = 0;
    while (k < count && strcmp(text, names[k]) != 0)
        k++;
    return k;
}

int qp_word_number(const char *words, const char *text, int length)
{
    int number = 1;
    for (const char *at = words; *at != '\0'; number++) {
        const int letters = (int)strcspn(at, " ");
        const bool begins = at[letters - 1] == '*', ends = at[0] == '*';
        const int needed = letters - begins - ends;
        if (length >= needed && (length == needed || begins || ends) &&
            memcmp(at + ends, ends ? text + length - needed : text, (size_t)needed) == 0)
            return number;
        at += letters + (at[letters] == ' ');
    }
    return 0;
}
