/* SPDX-License-Identifier: MIT */
#include "support/random_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "support/random_text.h"
#include "toolkit/base/random.h"

enum { DEEPEST = 4 /* statements in each other */ };

static void put_statement(struct writer *w, int depth);

int random_draw(uint64_t *seed, int n)
{
    const int i = (int)qp_random(seed, 0.0, n);
    return i < n ? i : n - 1;
}

const char *random_type(const struct writer *w)
{
    return is_unsigned(w) ? "uint" : is_whole(w) ? "int" : is_double(w) ? "double" : "float";
}

/* ---- Statements ---- */

static void put_block(struct writer *w, int depth)
{
    const int locals = w->locals, vectors = w->vectors;
    fputs(" {\n", w->out);
    for (int i = 1 + draw(w, 2); i > 0; i--)
        put_statement(w, depth - 1);
    fputs("}\n", w->out);
    w->locals = locals;
    w->vectors = vectors;
}

static void put_loop(struct writer *w, int depth)
{
    const int i = w->names++, far = 1 + draw(w, 2), offsets = w->offsets;
    const char *const forms[] = {
        "for (int i$ = -#; i$ <= #; i$++)", "for (int i$ = 0; i$ < # + 1; ++i$)",
        "for (int i$ = #; i$ >= -#; i$ -= 2)", "for (int i$ = -#; i$ < 1; i$ += 1)"};
    random_put_named(w, forms[draw(w, 4)], i, far);
    if (w->offsets < MOST_SEEN) {
        snprintf(w->offset[w->offsets].text, sizeof w->offset[0].text, "float(i%d)", i);
        w->offset[w->offsets++].far = far;
    }
    w->loops++;
    put_block(w, depth);
    w->loops--;
    w->offsets = offsets;
}

/* A loop that a condition ends, with its counter. */
static void put_while(struct writer *w, int depth)
{
    const int n = w->names++, locals = w->locals, vectors = w->vectors;
    if (draw(w, 2) == 0) {
        fprintf(w->out, "int n%d = 0;\nwhile (n%d < %d) {\nn%d++;\nif (", n, n, 1 + draw(w, 3), n);
        random_put_condition(w, depth - 1);
        fputs(draw(w, 2) == 0 ? ")\ncontinue;\n" : ")\nbreak;\n", w->out);
        put_statement(w, depth - 1);
        fputs("}\n", w->out);
        w->locals = locals;
        w->vectors = vectors;
    } else {
        fprintf(w->out, "int n%d = %d;\ndo", n, draw(w, 3));
        put_block(w, depth);
        fprintf(w->out, "while (--n%d > 0);\n", n);
    }
}

static void put_vector(struct writer *w)
{
    static const char *const forms[] = {"b$.yx = b$;\n", "b$.x += 0.5 * b$.y;\n",
                                        "b$ = min(b$ * 0.5, b$.yy + 0.25);\n",
                                        "split#(b$.y, b$.x);\n", "b$ = part#(b$);\n"};
    const int i = w->names++;
    fprintf(w->out, "vec2 b%d = vec2(", i);
    random_put_value(w, 1);
    fputs(", ", w->out);
    random_put_value(w, 1);
    fputs(");\n", w->out);
    if (w->vectors < MOST_SEEN)
        w->vector[w->vectors++] = i;
    for (int k = draw(w, 3); k > 0; k--)
        random_put_named(w, forms[draw(w, 5)], i, w->number);
}

static void put_statement(struct writer *w, int depth)
{
    const int k = draw(w, 10);
    if (depth > 1 && k < 2 && w->loops < 2) {
        put_loop(w, depth);
    } else if (depth > 1 && k == 2 && w->loops == 0) {
        put_while(w, depth);
    } else if (depth > 1 && k < 5) {
        fputs("if (", w->out);
        random_put_condition(w, 2);
        fputc(')', w->out);
        put_block(w, depth);
        if (draw(w, 2) == 0) {
            fputs("else", w->out);
            put_block(w, depth);
        }
    } else if (k == 5 && w->frame->wide) {
        put_vector(w);
    } else if (w->locals > w->fixed && k < 9) {
        fprintf(w->out, "a%d ", w->local[w->fixed + draw(w, w->locals - w->fixed)]);
        random_put_form(w,
                        is_whole(w)       ? "+= @;\n"
                        : draw(w, 2) == 0 ? "= 0.5~ * (@);\n"
                                          : "+= 0.125~ * (@);\n",
                        3);
    } else {
        const int i = w->names++;
        fprintf(w->out, "%s a%d = ", random_type(w), i);
        random_put_form(w, "@;\n", 3);
        if (w->locals < MOST_SEEN)
            w->local[w->locals++] = i;
    }
}

/* ---- Functions ---- */

/* Own functions: of two offsets, and of two values, in turn. */
static void put_helpers(struct writer *w)
{
    for (int count = draw(w, 4); w->helpers < count; w->helpers++) {
        const int k = w->helpers;
        fprintf(w->out, "%s ", random_type(w));
        random_put_own_name(w, k);
        fputc('(', w->out);
        w->locals = w->offsets = 0;
        if (k % 2 == 0) {
            fprintf(w->out, "float x%d, float y%d)\n{\n", k, k);
            for (; w->offsets < 2; w->offsets++) {
                snprintf(w->offset[w->offsets].text, sizeof w->offset[0].text, "%c%d",
                         "xy"[w->offsets], k);
                w->offset[w->offsets].far = w->margin;
            }
        } else {
            fprintf(w->out, "%s a%d, %s%s a%d)\n{\n", random_type(w), w->names,
                    draw(w, 2) == 0 ? "in " : "", random_type(w), w->names + 1);
            for (; w->locals < 2; w->locals++)
                w->local[w->locals] = w->names++;
        }
        w->fixed = w->locals;
        if (draw(w, 3) == 0)
            random_put_form(w, "if (?)\nreturn @;\n", 2);
        random_put_form(w, "return @;\n}\n\n", 3);
    }
    w->locals = w->offsets = w->fixed = 0;
}

/* Puts all that the head names and the body has not read yet. */
static void put_rest(struct writer *w)
{
    const char *part = is_whole(w) ? " + " : is_double(w) ? " + 0.0625lf * " : " + 0.0625 * ";
    for (int k = 0; k < w->frame->arrays; k++) {
        if ((w->arrays_read >> k & 1) == 0 || k == 0)
            fprintf(w->out, "%s%s_at(%d.0, %d.0)", part, w->frame->array[k].name,
                    (1 - 2 * draw(w, 2)) * w->frame->reach, draw(w, w->frame->reach + 1));
    }
    for (int k = 0; k < w->helpers && !w->all_read; k += 2) {
        fputs(part, w->out);
        random_put_own_name(w, k);
        fputc('(', w->out);
        random_put_offset(w, w->margin);
        fputs(", 0.0)", w->out);
    }
    for (int k = 0; k < w->frame->numbers; k++) {
        if ((w->numbers_read >> k & 1) == 0) {
            fputs(part, w->out);
            random_put_number(w, k);
        }
    }
    w->arrays_read = w->numbers_read = ~0u;
    w->all_read = true;
    for (int k = 0; k < w->locals; k++)
        random_put_named(w,
                         is_whole(w)    ? " + a$"
                         : is_double(w) ? " + 0.125lf * a$"
                                        : " + 0.125 * a$",
                         w->local[k], 0);
}

/* Writes the expression inside a function that keeps values small. */
static void put_result(struct writer *w)
{
    static const char *const forms[] = {"clamp(@", ", -1.5~, 1.5~)", "0.5~ * fract(@",
                                        ")",       "mix(#, clamp(@", ", -2.0~, 2.0~), 0.75~)"};
    static const char *const wholes[] = {"clamp(@", ", -100, 100)", "(@", ")", "(@", ") & 255"},
                             *const naturals[] = {"clamp(@", ", 2u, 100u)", "(@",
                                                  ")",       "(@",          ") & 255u"};
    const int k = 2 * draw(w, 3);
    const char *const *of = is_unsigned(w) ? naturals : is_whole(w) ? wholes : forms;
    random_put_form(w, of[k], 4);
    put_rest(w);
    random_put_form(w, of[k + 1], 1);
    fputs(");\n", w->out);
}

static void put_kernel(struct writer *w)
{
    const int states = w->frame->states;
    fprintf(w->out, "%s kernel(vec2 here)\n{\n", states > 1 ? "void" : random_type(w));
    w->in_kernel = true;
    for (int i = 1 + draw(w, 5); i > 0; i--)
        put_statement(w, DEEPEST);
    for (int i = 1 + draw(w, 2); i > 0; i--)
        random_put_odd(w);
    for (int k = 0; k < states; k++) {
        if (states > 1)
            fprintf(w->out, "out%d = %s(", k, random_type(w)); /* which says the type */
        else
            fputs("return (", w->out);
        put_result(w);
    }
    fputs("}\n", w->out);
}

static void put_head(struct writer *w)
{
    static const char *const words[] = {"zero", "clamp", "wrap"};
    const struct random_frame *frame = w->frame;
    if (frame->states > 1) {
        fputs("//@ state", w->out);
        for (int k = 0; k < frame->states; k++)
            fprintf(w->out, " %s", frame->array[k].name);
        fputc('\n', w->out);
    }
    for (int k = 0; k < frame->arrays; k++) {
        fprintf(w->out, "//@ outside %s=", frame->array[k].name);
        if (frame->array[k].outside == QP_OUTSIDE_VALUE)
            fprintf(w->out, "%.17g\n", frame->array[k].value);
        else
            fprintf(w->out, "%s\n", words[frame->array[k].outside]);
    }
    for (int k = 0; k < frame->numbers; k++) {
        fprintf(w->out, "//@ set %s=", frame->number[k].name);
        for (int i = 0; i < frame->number[k].values; i++)
            fprintf(w->out, "%s%.17g", i > 0 ? "," : "", frame->number[k].value[i]);
        fputc('\n', w->out);
    }
}

unsigned random_kernel_draw(const struct random_frame *frame, int number, uint64_t *seed, FILE *out)
{
    struct writer w = {.frame = frame, .seed = seed, .number = number, .out = out};
    w.margin = frame->reach > 1 ? frame->reach - draw(&w, 2) : frame->reach;
    put_head(&w);
    if (frame->wide)
        random_put_named(
            &w,
            "void split#(inout float a, out float b)\n{\nb = 0.5 * a;\na = a - b;\n}\n\n"
            "float part#(float a)\n{\nreturn 0.5 * a;\n}\n\n"
            "vec2 part#(vec2 a)\n{\nreturn vec2(part#(a.x), a.y * 0.5);\n}\n\n",
            0, number);
    random_put_odd_functions(&w);
    put_helpers(&w);
    put_kernel(&w);
    return w.used;
}

/* ---- Frames ---- */

const char *random_kind_name(int bit)
{
    static const char *const names[RANDOM_KINDS] = {
        "sizes",      "digits",   "outsides", "values",   "brackets", "moved", "effects",
        "unordered",  "aliased",  "handed",   "infinite", "small",    "names", "macros",
        "remainders", "literals", "loops",    "writes",   "unsigned"};
    return names[bit];
}

/* Kinds that a type has not. */
static unsigned foreign(enum qp_array_type type)
{
    static const unsigned of_reals = RANDOM_INFINITE | RANDOM_SMALL;
    return type == QP_ARRAY_FLOAT ? RANDOM_REMAINDERS | RANDOM_LITERALS | RANDOM_UNSIGNED
           : type == QP_ARRAY_DOUBLE
               ? RANDOM_REMAINDERS | RANDOM_HANDED | RANDOM_UNSIGNED | RANDOM_SMALL
               : of_reals | RANDOM_LITERALS | RANDOM_HANDED;
}

/* Draws one odd kind or two, in three of four frames; those that programs cannot be compiled with,
 * or that take long, are rare. */
static unsigned draw_kinds(uint64_t *seed, unsigned kinds)
{
    static const unsigned rare = RANDOM_NAMES | RANDOM_MACROS | RANDOM_LOOPS | RANDOM_WRITES;
    unsigned drawn = 0;
    for (int count = random_draw(seed, 4), tries = 0; count > 0 && kinds != 0 && tries < 64;
         tries++) {
        const unsigned kind = 1u << random_draw(seed, RANDOM_KINDS);
        if ((kinds & kind) == 0 || ((kind & rare) != 0 && random_draw(seed, 4) > 0))
            continue;
        drawn |= kind;
        count -= 2;
    }
    return drawn;
}

static enum qp_array_type draw_type(uint64_t *seed, unsigned kinds)
{
    static const unsigned of_doubles = RANDOM_DIGITS | RANDOM_VALUES,
                          of_ints = RANDOM_OUTSIDES | RANDOM_VALUES;
    const int type = random_draw(seed, 8);
    if ((kinds & RANDOM_UNSIGNED) != 0)
        return QP_ARRAY_UINT;
    if (type == 0 || (kinds & RANDOM_REMAINDERS) != 0 || ((kinds & of_ints) != 0 && type > 5))
        return QP_ARRAY_INT;
    if (type == 1 || (kinds & RANDOM_LITERALS) != 0 || ((kinds & of_doubles) != 0 && type < 4))
        return QP_ARRAY_DOUBLE;
    return QP_ARRAY_FLOAT;
}

static double draw_outside(const struct random_frame *of, int k, uint64_t *seed)
{
    static const double wholes[] = {0.75, -0.5, 2147483647.0, 1e10, -3.5, 0.25},
                        reals[] = {-0.0, 0.1, 1e-3, 1.0 / 3.0, -0.0, 0.012195121951219513};
    const bool whole = of->type == QP_ARRAY_INT || of->type == QP_ARRAY_UINT;
    const int i = random_draw(seed, 6);
    if ((of->kinds & RANDOM_OUTSIDES) != 0)
        return whole ? wholes[i] : reals[i];
    return whole ? i - (of->type == QP_ARRAY_INT ? 3 : 0) : 0.375 - 0.25 * k;
}

/* A number that nine digits in between would round to another float. */
static double draw_digits(uint64_t *seed)
{
    double v = 1.0;
    for (int tries = 0; tries < 400; tries++) {
        char text[32];
        v = 1.0 / (1.0 + random_draw(seed, 1999));
        snprintf(text, sizeof text, "%.9g", v);
        if ((float)strtod(text, NULL) != (float)v)
            break;
    }
    return v;
}

static void draw_numbers(uint64_t *seed, struct random_frame *out)
{
    static const int counts[] = {1, 1, 2, 3, 5};
    const bool digits = (out->kinds & RANDOM_DIGITS) != 0;
    out->numbers = digits ? RANDOM_NUMBERS : random_draw(seed, RANDOM_NUMBERS + 1);
    for (int k = 0; k < out->numbers; k++) {
        snprintf(out->number[k].name, sizeof out->number[k].name, "c%d", k);
        out->number[k].values = counts[random_draw(seed, 5)];
        for (int i = 0; i < out->number[k].values; i++)
            out->number[k].value[i] =
                digits ? draw_digits(seed) : (3 + random_draw(seed, 58)) / 64.0;
    }
}

void random_frame_draw(uint64_t *seed, unsigned kinds, struct random_frame *out)
{
    static const int reaches[] = {1, 1, 1, 1, 2, 2, 2, 3, 5, 8};
    memset(out, 0, sizeof *out);
    out->kinds = draw_kinds(seed, kinds);
    out->type = draw_type(seed, out->kinds);
    out->kinds &= ~foreign(out->type);
    out->exact = out->type != QP_ARRAY_FLOAT || random_draw(seed, 4) > 0;
    out->wide = out->type == QP_ARRAY_FLOAT && random_draw(seed, 8) == 0;
    out->reach = reaches[random_draw(seed, 10)];
    out->states = 1 + (random_draw(seed, 2) == 0 ? random_draw(seed, 3) : 0);
    out->arrays = out->states + random_draw(seed, 3);
    if ((out->kinds & (RANDOM_SIZES | RANDOM_VALUES)) != 0 && out->arrays == out->states)
        out->arrays++;
    for (int k = 0; k < out->arrays; k++) {
        const bool single = out->states == 1 && k == 0;
        snprintf(out->array[k].name, sizeof out->array[k].name,
                 single            ? "x"
                 : k < out->states ? "u%d"
                                   : "f%d",
                 k);
        out->array[k].outside = (out->kinds & RANDOM_OUTSIDES) != 0
                                    ? QP_OUTSIDE_VALUE
                                    : (enum qp_outside)random_draw(seed, 4);
        if (out->array[k].outside == QP_OUTSIDE_VALUE)
            out->array[k].value = draw_outside(out, k, seed);
    }
    draw_numbers(seed, out);
}
