/* SPDX-License-Identifier: MIT */
#include "support/random_text.h"

#include <string.h>

/* Puts one of the words, which blanks are between. */
static void put_one_of(struct writer *w, const char *words)
{
    int count = 1;
    for (const char *at = words; *at != '\0'; at++)
        count += *at == ' ';
    for (int skip = draw(w, count); skip > 0; skip--)
        words = strchr(words, ' ') + 1;
    fprintf(w->out, "%.*s", (int)strcspn(words, " "), words);
}

void random_put_named(struct writer *w, const char *form, int i, int j)
{
    for (; *form != '\0'; form++) {
        if (*form == '$' || *form == '#')
            fprintf(w->out, "%d", *form == '$' ? i : j);
        else
            fputc(*form, w->out);
    }
}

/* ---- Leaves ---- */

static void put_literal(struct writer *w)
{
    if (is_whole(w))
        fprintf(w->out, is_unsigned(w) ? "%du" : "%d", draw(w, 12) - (is_unsigned(w) ? 0 : 3));
    else
        put_one_of(w, is_double(w) ? "0.1lf 0.75lf 1.0lf 2.5lf .3lf 1e-1lf 3.lf 0.0lf"
                                   : "0.1 0.75 1.0 2.5 .3 1e-1 3. 0.0 0.2f 1.25e0");
}

/* A number of cells, as a float. */
void random_put_offset(struct writer *w, int most)
{
    const int k = draw(w, 2 * MOST_SEEN);
    if (k < w->offsets && 2 * w->offset[k].far <= most && draw(w, 4) == 0)
        fprintf(w->out, "2.0 * %s", w->offset[k].text);
    else if (k < w->offsets && w->offset[k].far < most && draw(w, 3) == 0)
        fprintf(w->out, "%s %c 1.0", w->offset[k].text, "+-"[draw(w, 2)]);
    else if (k < w->offsets && w->offset[k].far <= most)
        fprintf(w->out, "%s%s", draw(w, 4) == 0 ? "-" : "", w->offset[k].text);
    else
        fprintf(w->out, "%d.0", draw(w, 2 * most + 1) - most);
}

static void put_read_of(struct writer *w, int array)
{
    fprintf(w->out, "%s_at(", w->frame->array[array].name);
    random_put_offset(w, w->frame->reach);
    fputs(", ", w->out);
    random_put_offset(w, w->frame->reach);
    fputc(')', w->out);
    w->arrays_read |= 1u << array;
}

/* A number of `set`, which is a float. */
void random_put_number(struct writer *w, int k)
{
    const int values = w->frame->number[k].values, i = draw(w, values);
    fprintf(w->out,
            is_double(w)     ? "double(%s"
            : is_unsigned(w) ? "uint(9.0 * %s"
            : is_whole(w)    ? "int(9.0 * %s"
                             : "%s",
            w->frame->number[k].name);
    if (values > 4)
        fprintf(w->out, "[%d]", i);
    else if (values > 1)
        fprintf(w->out, ".%c", "xyzw"[i]);
    fputs(is_double(w) || is_whole(w) ? ")" : "", w->out);
    w->numbers_read |= 1u << k;
}

static void put_leaf(struct writer *w)
{
    static const char *const vectors[] = {"b$.x", "b$.y", "dot(b$, b$.yx)", "length(b$)"};
    const int k = draw(w, 12);
    if ((k < 2 || k > 9) && w->locals > 0)
        fprintf(w->out, "a%d", w->local[draw(w, w->locals)]);
    else if (k == 2 && w->frame->numbers > 0)
        random_put_number(w, draw(w, w->frame->numbers));
    else if (k == 3)
        put_literal(w);
    else if (k == 4 && w->in_kernel)
        fprintf(w->out,
                is_double(w)     ? "double(0.125 * here.%c)"
                : is_unsigned(w) ? "uint(here.%c)"
                : is_whole(w)    ? "int(here.%c)"
                                 : "here.%c * 0.125",
                "xy"[draw(w, 2)]);
    else if (k == 5 && w->offsets > 0)
        fprintf(w->out,
                is_double(w)     ? "double(%s)"
                : is_unsigned(w) ? "uint(int(%s))"
                : is_whole(w)    ? "int(%s)"
                                 : "%s",
                w->offset[draw(w, w->offsets)].text);
    else if (k == 6 && w->vectors > 0)
        random_put_named(w, vectors[draw(w, 4)], w->vector[draw(w, w->vectors)], 0);
    else
        put_read_of(w, draw(w, w->frame->arrays));
}

/* ---- Expressions ---- */

void random_put_form(struct writer *w, const char *form, int depth)
{
    for (; *form != '\0'; form++) {
        if (*form == '@')
            random_put_value(w, depth - 1);
        else if (*form == '#')
            put_literal(w);
        else if (*form == '?')
            random_put_condition(w, depth - 1);
        else if (*form == '~') /* letters of a double */
            fputs(is_double(w) ? "lf" : "", w->out);
        else
            fputc(*form == '!' ? '?' : *form, w->out);
    }
}

/* A call of one of the kernel's own functions. */
static void put_own(struct writer *w, int depth)
{
    const int k = draw(w, w->helpers);
    random_put_own_name(w, k);
    fputc('(', w->out);
    if (k % 2 == 0) {
        random_put_offset(w, w->margin);
        fputs(", ", w->out);
        random_put_offset(w, w->margin);
    } else {
        random_put_value(w, depth - 1);
        fputs(", ", w->out);
        random_put_value(w, depth - 1);
    }
    fputc(')', w->out);
}

void random_put_value(struct writer *w, int depth)
{
    static const char *const exact[] = {"(@ + @)",
                                        "(@ + @)",
                                        "(@ - @)",
                                        "(@ - @)",
                                        "@ * @",
                                        "# * (@ - @)",
                                        "(-(@))",
                                        "@ / (abs(@) + 0.5~)",
                                        "abs(@)",
                                        "sign(@)",
                                        "floor(@)",
                                        "ceil(@)",
                                        "fract(@)",
                                        "mod(@, 1.5~)",
                                        "mix(@, @, #)",
                                        "mix(@, @, fract(@))",
                                        "min(@, @)",
                                        "max(@, @)",
                                        "clamp(@, -1.0~, 1.0~)",
                                        "step(@, @)",
                                        "sqrt(abs(@))",
                                        "((?) ! @ : @)",
                                        "((?) ! @ : @)",
                                        "(@ + @ + @ + @) * 0.25~"};
    static const char *const inexact[] = {"sin(@)",
                                          "cos(@)",
                                          "exp(clamp(@, -2.0, 2.0))",
                                          "log(abs(@) + 0.5)",
                                          "pow(abs(@) + 0.25, 1.5)",
                                          "inversesqrt(abs(@) + 0.5)",
                                          "smoothstep(-0.5, 1.5, @)"};
    static const char *const whole[] = {"(@ + @)",
                                        "(@ - @)",
                                        "@ * #",
                                        "(@ * @)",
                                        "(-(@))",
                                        "((abs(@) & 1023) % 7)",
                                        "((abs(@) & 1023) / 3)",
                                        "min(@, @)",
                                        "max(@, @)",
                                        "abs(@)",
                                        "sign(@)",
                                        "clamp(@, -5, 9)",
                                        "((?) ! @ : @)",
                                        "(@ & @)",
                                        "(@ | 5)",
                                        "(@ ^ @)",
                                        "(@ << 2)",
                                        "(@ >> 1)",
                                        "int(clamp(float(@) * 0.37, -99.0, 99.0))"};
    static const char *const naturals[] = {"(@ + @)",
                                           "(@ - @)",
                                           "@ * #",
                                           "(@ * @)",
                                           "(@ % 7u)",
                                           "(@ / 3u)",
                                           "min(@, @)",
                                           "max(@, @)",
                                           "clamp(@, 5u, 9u)",
                                           "((?) ! @ : @)",
                                           "(@ & @)",
                                           "(@ | 5u)",
                                           "(@ ^ @)",
                                           "(@ << 2)",
                                           "(@ >> 1)",
                                           "uint(clamp(float(@) * 0.37, 0.0, 99.0))"};
    if (depth <= 0 || draw(w, 6) == 0)
        put_leaf(w);
    else if (w->helpers > 0 && draw(w, 8) == 0)
        put_own(w, depth);
    else if (is_unsigned(w))
        random_put_form(w, naturals[draw(w, sizeof naturals / sizeof naturals[0])], depth);
    else if (is_whole(w))
        random_put_form(w, whole[draw(w, sizeof whole / sizeof whole[0])], depth);
    else if (!w->frame->exact && draw(w, 4) == 0)
        random_put_form(w, inexact[draw(w, sizeof inexact / sizeof inexact[0])], depth);
    else
        random_put_form(w, exact[draw(w, sizeof exact / sizeof exact[0])], depth);
}

void random_put_condition(struct writer *w, int depth)
{
    const int k = draw(w, 8);
    if (depth > 1 && k < 3) {
        fputs(k == 0 ? "!(" : "(", w->out);
        random_put_condition(w, depth - 1);
        fputs(k == 0 ? ")" : k == 1 ? ") && (" : ") || (", w->out);
        if (k > 0) {
            random_put_condition(w, depth - 1);
            fputc(')', w->out);
        }
    } else if (k == 3 && w->in_kernel) {
        fprintf(w->out, "mod(here.%c, %d.0) < 1.0", "xy"[draw(w, 2)], 2 + draw(w, 3));
    } else {
        random_put_value(w, depth - 1);
        fputc(' ', w->out);
        put_one_of(w, "< > <= >= == !=");
        fputc(' ', w->out);
        random_put_value(w, depth - 1);
    }
}
