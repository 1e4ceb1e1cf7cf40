/* SPDX-License-Identifier: MIT */
#include "support/random_kernel.h"

#include <string.h>

#include "base/random.h"
#include "support/random_text.h"

enum { DEEPEST = 4 /* statements in each other */ };

static void put_statement(struct writer *w, int depth);

int random_draw(uint64_t *seed, int n)
{
    const int i = (int)qp_random(seed, 0.0, n);
    return i < n ? i : n - 1;
}

static const char *real_name(const struct writer *w)
{
    return is_whole(w) ? "int" : is_double(w) ? "double" : "float";
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
        fprintf(w->out, "%s a%d = ", real_name(w), i);
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
        fprintf(w->out, "%s own%d_%d(", real_name(w), w->number, k);
        w->locals = w->offsets = 0;
        if (k % 2 == 0) {
            fprintf(w->out, "float x%d, float y%d)\n{\n", k, k);
            for (; w->offsets < 2; w->offsets++) {
                snprintf(w->offset[w->offsets].text, sizeof w->offset[0].text, "%c%d",
                         "xy"[w->offsets], k);
                w->offset[w->offsets].far = w->margin;
            }
        } else {
            fprintf(w->out, "%s a%d, %s%s a%d)\n{\n", real_name(w), w->names,
                    draw(w, 2) == 0 ? "in " : "", real_name(w), w->names + 1);
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

/* One of everything that the head names and the body has not read yet. */
static void put_rest(struct writer *w)
{
    const char *part = is_whole(w) ? " + " : is_double(w) ? " + 0.0625lf * " : " + 0.0625 * ";
    for (int k = 0; k < w->frame->arrays; k++) {
        if ((w->arrays_read >> k & 1) == 0 || k == 0)
            fprintf(w->out, "%s%s_at(%d.0, %d.0)", part, w->frame->array[k].name,
                    (1 - 2 * draw(w, 2)) * w->frame->reach, draw(w, w->frame->reach + 1));
    }
    for (int k = 0; k < w->helpers && !w->all_read; k += 2) {
        fprintf(w->out, "%sown%d_%d(", part, w->number, k);
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
    static const char *const wholes[] = {"clamp(@", ", -100, 100)", "(@", ")", "(@", ") & 255"};
    const int k = 2 * draw(w, 3);
    random_put_form(w, is_whole(w) ? wholes[k] : forms[k], 4);
    put_rest(w);
    random_put_form(w, is_whole(w) ? wholes[k + 1] : forms[k + 1], 1);
    fputs(");\n", w->out);
}

static void put_kernel(struct writer *w)
{
    const int states = w->frame->states;
    fprintf(w->out, "%s kernel(vec2 here)\n{\n", states > 1 ? "void" : real_name(w));
    w->in_kernel = true;
    for (int i = 1 + draw(w, 5); i > 0; i--)
        put_statement(w, DEEPEST);
    for (int k = 0; k < states; k++) {
        if (states > 1)
            fprintf(w->out, "out%d = %s(", k, real_name(w)); /* which says the type */
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
            fprintf(w->out, "%.9g\n", frame->array[k].value);
        else
            fprintf(w->out, "%s\n", words[frame->array[k].outside]);
    }
    for (int k = 0; k < frame->numbers; k++) {
        fprintf(w->out, "//@ set %s=", frame->number[k].name);
        for (int i = 0; i < frame->number[k].values; i++)
            fprintf(w->out, "%s%.9g", i > 0 ? "," : "", frame->number[k].value[i]);
        fputc('\n', w->out);
    }
}

void random_kernel_draw(const struct random_frame *frame, int number, uint64_t *seed,
                        char text[RANDOM_LETTERS])
{
    struct writer w = {.frame = frame, .seed = seed, .number = number};
    w.out = fmemopen(text, RANDOM_LETTERS, "w");
    w.margin = frame->reach > 1 ? frame->reach - draw(&w, 2) : frame->reach;
    put_head(&w);
    if (frame->wide)
        random_put_named(
            &w,
            "void split#(inout float a, out float b)\n{\nb = 0.5 * a;\na = a - b;\n}\n\n"
            "float part#(float a)\n{\nreturn 0.5 * a;\n}\n\n"
            "vec2 part#(vec2 a)\n{\nreturn vec2(part#(a.x), a.y * 0.5);\n}\n\n",
            0, number);
    put_helpers(&w);
    put_kernel(&w);
    fclose(w.out);
}

/* ---- Frames ---- */

void random_frame_draw(uint64_t *seed, struct random_frame *out)
{
    static const int reaches[] = {1, 1, 1, 1, 2, 2, 2, 3, 5, 8}, counts[] = {1, 1, 2, 3, 5};
    const int type = random_draw(seed, 8);
    memset(out, 0, sizeof *out);
    out->type = type == 0 ? QP_ARRAY_INT : type == 1 ? QP_ARRAY_DOUBLE : QP_ARRAY_FLOAT;
    out->exact = out->type != QP_ARRAY_FLOAT || random_draw(seed, 4) > 0;
    out->wide = out->type == QP_ARRAY_FLOAT && random_draw(seed, 4) == 0;
    out->reach = reaches[random_draw(seed, 10)];
    out->states = 1 + (random_draw(seed, 2) == 0 ? random_draw(seed, 3) : 0);
    out->arrays = out->states + random_draw(seed, 3);
    out->numbers = random_draw(seed, RANDOM_NUMBERS + 1);
    for (int k = 0; k < out->arrays; k++) {
        const bool single = out->states == 1 && k == 0;
        snprintf(out->array[k].name, sizeof out->array[k].name,
                 single            ? "x"
                 : k < out->states ? "u%d"
                                   : "f%d",
                 k);
        out->array[k].outside = (enum qp_outside)random_draw(seed, 4);
        if (out->array[k].outside == QP_OUTSIDE_VALUE)
            out->array[k].value =
                out->type == QP_ARRAY_INT ? random_draw(seed, 9) - 4 : 0.375 - 0.25 * k;
    }
    for (int k = 0; k < out->numbers; k++) {
        snprintf(out->number[k].name, sizeof out->number[k].name, "c%d", k);
        out->number[k].values = counts[random_draw(seed, 5)];
        for (int i = 0; i < out->number[k].values; i++)
            out->number[k].value[i] = 0.05 + 0.01 * random_draw(seed, 90);
    }
}
