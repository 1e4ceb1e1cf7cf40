/* SPDX-License-Identifier: MIT */
/* Odd statements of random kernels: what GLSL takes, and people who write programs of kernels
 * forget. */
#include "support/random_text.h"

#include <string.h>

/* Words of forms: T the type, L a variable that may be assigned, N a number of names that are new,
 * B the kernel's number, S a factor that keeps values small, O a one, K some cells as a float, R
 * the reach, X an array; and the signs of random_put_form. */
static const struct {
    unsigned kind;
    const char *form;
} forms[] = {
    {RANDOM_OUTSIDES, "T eN = X_at(-R, R);\nL += O / eN < O ! O : O + O;\n"}, /* for reals alone */
    {RANDOM_BRACKETS, "(L) = S(@);\n"},
    {RANDOM_BRACKETS, "(L) += S(@);\n"},
    {RANDOM_BRACKETS, "((L)) -= S(@);\n"},
    {RANDOM_BRACKETS, "(L)++;\n"},
    {RANDOM_BRACKETS, "--(L);\n"},
    {RANDOM_BRACKETS, "for (int iN = 0; iN < 3; (iN)++)\n(L) += S(@);\n"},
    {RANDOM_BRACKETS, "int nN = 0;\nwhile ((nN)++ < 3)\nL -= S(@);\n"},
    {RANDOM_MOVED, "float dN = 1.0;\n(dN) = K;\nL += SX_at(dN, 0.0);\n"},
    {RANDOM_MOVED, "float dN = 0.0;\ndN = K;\nL += SX_at(0.0, dN);\n"},
    {RANDOM_MOVED, "float dN = 1.0;\n(dN) += K;\nL += SX_at(dN, dN);\n"},
    {RANDOM_MOVED, "float dN = K;\n(dN)++;\nL += SX_at(dN, -1.0);\n"},
    {RANDOM_MOVED, "float dN = K;\n--(dN);\nL += SX_at(-1.0, dN);\n"},
    {RANDOM_MOVED, "float dN = -1.0;\nif (?)\n((dN)) = K;\nL += SX_at(dN, -dN);\n"},
    {RANDOM_MOVED, "for (int iN = 0; iN < 5; (iN)++)\nL += SX_at(float(iN), 0.0);\n"},
    {RANDOM_MOVED, "for (int iN = -1; iN < 2; iN++) {\n(iN) += 2;\nL += SX_at(float(iN), K);\n}\n"},
    {RANDOM_MOVED, "vec2 dN = vec2(1.0, 0.0);\n(dN).y = K;\nL += SX_at(dN.x, dN.y);\n"},
    {RANDOM_MOVED, "float dN = 1.0, eN = (dN = K);\nL += SX_at(dN, eN);\n"},
    {RANDOM_MOVED, "float dN = 1.0;\nmoveB(dN);\nL += SX_at(dN, 0.0);\n"},
    {RANDOM_MOVED, "float dN = 1.0;\nmoveB((dN));\nL += SX_at(0.0, dN);\n"},
    {RANDOM_EFFECTS, "T eN = @;\nL = S((eN = S(@)) + O);\nL += SeN;\n"},
    {RANDOM_EFFECTS, "T eN = @;\nL += S(eN++);\nL -= S(--eN);\n"},
    {RANDOM_EFFECTS, "T eN = @;\nL += Smax(eN += O, @);\nL += SeN;\n"},
    {RANDOM_EFFECTS, "T eN = O;\nif (? && eN++ > O)\nL += O;\nL += SeN;\n"},
    {RANDOM_EFFECTS, "T eN = O;\nL += S((?) ! eN++ : (eN -= O));\nL += SeN;\n"},
    {RANDOM_EFFECTS, "T eN, gN = @;\nL += S((eN = gN *= S(@)) - O);\nL -= SeN;\n"},
    {RANDOM_UNORDERED, "T eN = @;\nL = S(eN++ + eN++);\nL += SeN;\n"},
    {RANDOM_UNORDERED, "T eN = @;\nL = S(eN++ * O - eN);\n"},
    {RANDOM_UNORDERED, "T eN = @;\nL = S((eN = S(@)) + eN);\n"},
    {RANDOM_UNORDERED, "T eN = @;\nL += Smax(eN++, eN);\n"},
    {RANDOM_UNORDERED, "T eN = @;\nL += SjoinB(eN++, eN++);\n"},
    {RANDOM_UNORDERED, "T eN = @;\nL += SjoinB(keepB(eN), keepB(eN));\n"},
    {RANDOM_UNORDERED, "T eN = @;\nL = S(keepB(eN) - eN);\n"},
    {RANDOM_UNORDERED | RANDOM_MOVED, "float eN = 0.0;\nL += SX_at(eN++, eN);\n"},
    {RANDOM_ALIASED, "T dN = @;\nbothB(dN, dN);\nL += SdN;\n"},
    {RANDOM_ALIASED, "T dN = @;\nbothB(L, dN);\nbothB(dN, (dN));\nL += SdN;\n"},
    {RANDOM_HANDED, "vec3 dN = vec3(@, @, @);\nscaleB(dN.zx);\nL += 0.125 * (dN.x + dN.z);\n"},
    {RANDOM_HANDED, "vec2 dN = vec2(@, 1.0);\nscaleB(dN.yx);\nL += 0.125 * (dN.x - dN.y);\n"},
    {RANDOM_HANDED, "vec2 dN = vec2(@, 1.0);\nbothB(dN.y, dN.x);\nL += 0.125 * (dN.x - dN.y);\n"},
    {RANDOM_HANDED, "vec3 dN = vec3(@);\nbothB(dN[1], dN[2]);\nL += 0.125 * dot(dN, dN);\n"},
    {RANDOM_INFINITE, "L = (@) * HUGE * HUGE;\n"},
    {RANDOM_INFINITE, "L += (@) * HUGE * HUGE * 0.0~;\n"},
    {RANDOM_INFINITE, "L = O / (L - L);\n"},
    {RANDOM_INFINITE, "for (int iN = 0; iN < 2; iN++)\nL += @ * HUGE * HUGE * T(iN);\n"},
    {RANDOM_INFINITE, "T eN = (@) * HUGE * HUGE;\nL += S(min(eN, O) + max(-eN, O));\n"},
    {RANDOM_INFINITE, "T eN = (@) * HUGE * HUGE;\nL = eN > @ ! S(@) : eN;\n"},
    {RANDOM_INFINITE, "T eN = (@) * HUGE * HUGE;\nL += S(O / eN);\n"},
    {RANDOM_SMALL, "T eN = (X_at(0.0, 0.0) - @) * 1e-20 * 1e-18;\nL += S(eN * 1e19 * 1e19);\n"},
    {RANDOM_SMALL,
     "T eN = (X_at(0.0, 0.0) - @) * 1e-30 * 3e-8;\nL += S(eN * 1e19 * 1e19 + eN * 1e30);\n"},
    {RANDOM_SMALL,
     "T eN = 1e-38, gN = eN * (X_at(0.0, 0.0) - @);\nL += S((eN - gN) * 1e19 * 1e19);\n"},
    {RANDOM_SMALL,
     "T eN = (X_at(0.0, 0.0) - @) * 1e-19;\neN = sqrt(eN * eN) * 1e19;\nL += S(eN);\n"},
    {RANDOM_SMALL, "T eN = (X_at(0.0, 0.0) - @) * 1e-20 * 1e-18;\nL += eN > 0.0 ! O : eN < 0.0 ! "
                   "-O : S(X_at(0.0, 0.0) - @);\n"},
    {RANDOM_NAMES, "{\nT unix = @;\nL += Sunix;\n}\n"},
    {RANDOM_NAMES, "{\nT linux = @, i386 = O;\nL += S(linux + i386);\n}\n"},
    {RANDOM_NAMES, "{\nT errno = @, stdin = O;\nL += S(errno + stdin);\n}\n"},
    {RANDOM_NAMES, "{\nT y0 = @, real = O;\nL += S(y0 + real);\n}\n"},
    {RANDOM_NAMES, "{\nT at = @, row = O, set = @, rows = O;\nL += S(at + row + set + rows);\n}\n"},
    {RANDOM_NAMES, "{\nT single = @, delete = O;\nL += S(single + delete);\n}\n"},
    {RANDOM_NAMES, "{\nT auto_ = @, new = O, class_ = @;\nL += S(auto_ + new + class_);\n}\n"},
    {RANDOM_MACROS, "{\nT TILE = @, THREADS = O;\nL += S(TILE + THREADS);\n}\n"},
    {RANDOM_MACROS, "{\nT ALIGNED = @, TOGETHER = O;\nL += S(ALIGNED + TOGETHER);\n}\n"},
    {RANDOM_MACROS, "{\nT STATES = @, REACH = O;\nL += S(STATES + REACH);\n}\n"},
    {RANDOM_MACROS, "{\nT UNROLLED = @, ARRAYS = O;\nL += S(UNROLLED + ARRAYS);\n}\n"},
    {RANDOM_MACROS, "{\nT NULL = @, EOF = O, INFINITY = @;\nL += S(NULL + EOF + INFINITY);\n}\n"},
    {RANDOM_REMAINDERS, "L = @ % @;\n"},
    {RANDOM_REMAINDERS, "L += @ / @;\n"},
    {RANDOM_REMAINDERS, "L += (int(here.x) - 3) % 5;\n"},
    {RANDOM_REMAINDERS, "L %= 7;\n"},
    {RANDOM_REMAINDERS, "L = L % -3 + L / -3;\n"},
    {RANDOM_REMAINDERS, "L += @ - @ % 11 * 2 % 3;\n"},
    {RANDOM_REMAINDERS, "T eN = @;\nL += eN++ % 5;\nL += eN % 4;\n"},
    {RANDOM_LITERALS, "L = 0.1 * L;\n"},
    {RANDOM_LITERALS, "L += 0.7 * @ - 1e-1;\n"},
    {RANDOM_LITERALS, "L = min(L, 0.3);\n"},
    {RANDOM_LITERALS, "double eN = 0.3;\nL += eN * .3;\n"},
    {RANDOM_LITERALS, "L += double(0.1) * L;\n"},
    {RANDOM_LOOPS,
     "float tN = 0.0;\nfor (float qN = 0.0; qN < 70000.0; qN += 1.0)\ntN += 1.0;\nL += "
     "tN > 69999.0 ! O : O + O;\n"},
    {RANDOM_LOOPS,
     "int tN = 0;\nfor (int qN = 0; qN < 300; qN++)\nfor (int pN = 0; pN < 300; pN++)\n"
     "tN++;\nL += tN == 90000 ! O : O + O;\n"},
    {RANDOM_LOOPS, "int tN = 0;\nwhile (tN < 66000)\ntN++;\nL += tN == 66000 ! O : O + O;\n"},
    {RANDOM_LOOPS,
     "int tN = 0;\ndo\ntN += 2;\nwhile (tN < 140000);\nL += tN < 140000 ! O : O + O;\n"},
    {RANDOM_LOOPS, "int tN = 0;\nfor (int qN = 0; qN < 40000; qN++)\ntN++;\nfor (int pN = 0; pN < "
                   "40000; pN++)\ntN++;\nL += tN == 80000 ! O : O + O;\n"},
    {RANDOM_WRITES, "X_at(1.0, 0.0) = @;\n"},
    {RANDOM_WRITES, "(X_at(0.0, 0.0)) += @;\n"},
    {RANDOM_WRITES, "++X_at(1.0, 0.0);\n"},
    {RANDOM_WRITES, "L = (X_at(0.0, 1.0) = @);\n"},
    {RANDOM_WRITES, "X_cell(0.0, 0.0) = @;\n"},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

static void put_word(struct writer *w, char word, int local, int name)
{
    const int far = 2 + draw(w, 4);
    switch (word) {
    case 'T':
        fputs(random_type(w), w->out);
        break;
    case 'L':
        fprintf(w->out, "a%d", local);
        break;
    case 'N':
    case 'B':
        fprintf(w->out, "%d", word == 'N' ? name : w->number);
        break;
    case 'S':
        fputs(is_whole(w) ? "" : is_double(w) ? "0.125lf * " : "0.125 * ", w->out);
        break;
    case 'O':
        fputs(is_unsigned(w) ? "1u" : is_whole(w) ? "1" : is_double(w) ? "1.0lf" : "1.0", w->out);
        break;
    case 'R':
        fprintf(w->out, "%d.0", w->frame->reach);
        break;
    case 'K':
        fprintf(w->out, "%d.0", draw(w, 2) == 0 ? far : -far);
        break;
    default:
        fputs(w->frame->array[draw(w, w->frame->arrays)].name, w->out);
        break;
    }
}

static void put_form(struct writer *w, const char *form, int local, int name)
{
    for (const char *at = form; *at != '\0'; at++) {
        const char one[] = {*at, '\0'};
        const bool alone = at[1] < 'A' || at[1] > 'Z',
                   begins = at == form || at[-1] < 'A' || at[-1] > 'Z';
        if (strncmp(at, "HUGE", 4) == 0) {
            fputs(is_double(w) ? "1e308lf" : "1e38", w->out);
            at += 3;
        } else if (strchr("TLNBSOKRX", *at) != NULL && (alone || at[1] == 'X') &&
                   (begins || at[-1] == 'S')) {
            put_word(w, *at, local, name);
        } else {
            random_put_form(w, one, 3);
        }
    }
}

/* ---- The two that random_text.h names ---- */

/* True for a form of the frame's kinds, of which each function is there. */
static bool has(const struct writer *w, int k)
{
    return (w->frame->kinds & forms[k].kind) == forms[k].kind &&
           (w->moves || strstr(forms[k].form, "move") == NULL) &&
           !(is_whole(w) && forms[k].kind == RANDOM_OUTSIDES);
}

void random_put_odd(struct writer *w)
{
    int count = 0, chosen = -1;
    for (int k = 0; k < FORMS; k++)
        if (has(w, k) && draw(w, ++count) == 0)
            chosen = k;
    if (chosen < 0 || w->locals == 0)
        return;
    const int name = w->names++;
    put_form(w, forms[chosen].form, w->local[draw(w, w->locals)], name);
    w->used |= forms[chosen].kind;
}

void random_put_odd_functions(struct writer *w)
{
    static const struct {
        unsigned kinds;
        const char *form;
    } functions[] = {
        {RANDOM_MOVED, "void moveB(inout float a)\n{\na = a + 2.0;\n}\n\n"},
        {RANDOM_UNORDERED, "T joinB(T a, T b)\n{\nreturn a - S(b);\n}\n\n"
                           "T keepB(inout T a)\n{\na += O;\nreturn S(a);\n}\n\n"},
        {RANDOM_ALIASED | RANDOM_HANDED,
         "void bothB(inout T a, inout T b)\n{\na += O;\nb *= O + O;\n}\n\n"},
        {RANDOM_HANDED, "void scaleB(inout vec2 a)\n{\na *= vec2(0.5, 2.0);\n}\n\n"},
    };
    w->moves = (w->frame->kinds & RANDOM_MOVED) != 0 && draw(w, 3) == 0;
    if (w->moves) /* beside such a function no offset is known */
        w->used |= RANDOM_MOVED;
    for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++)
        if ((w->frame->kinds & functions[k].kinds) != 0 &&
            (w->moves || functions[k].kinds != RANDOM_MOVED))
            put_form(w, functions[k].form, 0, 0);
}

void random_put_own_name(struct writer *w, int k)
{
    static const char *const names[] = {
        "random", "y0",    "y1",     "j0",        "j1",      "jn",    "sinf", "nan",
        "engine", "stdin", "stdout", "signgam",   "index",   "gamma", "time", "read",
        "free",   "cell",  "at_of",  "step_rows", "numbers", "rows",  "real", "remainder",
        "abs_",   "div",   "exit",   "clock",     "rand",    "pow10"};
    const int i = 3 * w->number + k;
    if ((w->frame->kinds & RANDOM_NAMES) != 0 && k < 3) {
        fputs(names[i % (int)(sizeof names / sizeof names[0])], w->out);
        w->used |= RANDOM_NAMES;
    } else {
        fprintf(w->out, "own%d_%d", w->number, k);
    }
}
