/* SPDX-License-Identifier: MIT */
#include "tools/stencil/stencil.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/base/text.h"
#include "toolkit/gl/shaders.h"
#include "toolkit/kernel/kernel.h"

/* ---- Words ---- */

/* Functions that programs have, and constructors of numbers. */
static const char known[] =
    "abs sign floor ceil fract mod mix min max clamp step sqrt sin cos exp log pow smoothstep "
    "inversesqrt dot length float int bool double";

/* Names of GLSL that programs in C++ define, too. */
static const char known_in_cxx[] =
    "vec2 vec3 vec4 dvec2 dvec3 dvec4 ivec2 ivec3 ivec4 bvec2 bvec3 bvec4 lessThan greaterThan "
    "lessThanEqual greaterThanEqual equal notEqual any all not distance normalize cross";

static const char taken[] = "programs have this word for something else";

/* Words that no program has, with the reason. */
static const struct {
    const char *words, *why;
} foreign[] = {
    {"discard", "a cell that is discarded keeps what it was before the last step"},
    {"uint uvec*", "programs have float, double and int"},
    {"struct", "programs have numbers and vectors"},
    {"uniform varying attribute", "give numbers by '//@ set NAME=VALUE'"},
    {"origin", "an array has no place in another one"},
    {"mat2* mat3* mat4* dmat*", "programs have no matrices"},
    {"gl_* dFd* fwidth*", "a program has no fragments"},
    {"texture* texel* sampler* image*", "arrays are read by NAME_at"},
    {"*_cell *_size", "reads are by NAME_at, so many cells away"},
    {"auto register char signed goto new delete try catch operator private protected virtual "
     "friend typename mutable explicit export throw constexpr restrict and or xor NULL EOF NAN "
     "INFINITY M_PI M_E __* _A* _B* _C* _G* _I* _N* _S* _T* and_eq or_eq xor_eq not_eq bitand "
     "bitor compl wchar_t char8_t char16_t char32_t static_cast const_cast dynamic_cast "
     "reinterpret_cast "
     "typeid decltype alignas alignof noexcept nullptr static_assert thread_local concept requires",
     "C or C++ has this word"},
    {"at at_of cell rows set single NAME SEED TOLERANCE STATES REACH ARRAYS STEPS EDGE VALUE CLAMP "
     "WRAP IS_WHOLE DEVICE BARRIER TURNS SYNC HOST_DEVICE MOST_AT_ONCE RESTRICT INDEPENDENT "
     "UNROLLED DOUBLES HALO SIZE ROWS CELLS SHEETS PACK UNPACK GROUP_X GROUP_Y ACROSS ASIDE "
     "SKIPPED LINES MOVE NEXT LOAD* CELL SHEET PLACE HOLD LEFT RIGHT BELOW ABOVE STATE_AT "
     "INPUT_AT START KERNEL CALL FIND_RESIDENT USUAL",
     taken},
};

static bool is_among(const struct qp_token *token, const char *words)
{
    return qp_word_number(words, token->at, token->length) > 0;
}

static enum qp_status refuse(const struct qp_stencil *s, const struct qp_token *token,
                             const char *why)
{
    return qp_fail(QP_BAD_INPUT, "%s: no program is generated with '%.*s': %s",
                   QP_PLACE(s->tokens, s->file->path, token->line), token->length, token->at, why);
}

/* True for a type of several values. */
static bool is_vector(const struct qp_token *token)
{
    return is_among(token, known_in_cxx) && qp_glsl_is_type(token);
}

const struct qp_kernel_number *qp_stencil_number(const struct qp_stencil *s,
                                                 const struct qp_token *word)
{
    static const struct qp_kernel_number size = {.name = "size", .type = QP_NUMBER_VEC2};
    const struct qp_kernel_number *found = qp_token_is(word, "size") ? &size : NULL;
    for (int k = 0; k < s->file->head.numbers && found == NULL; k++)
        found = qp_token_is(word, s->file->desc.number[k].name) ? &s->file->desc.number[k] : NULL;
    return found;
}

/* True if a parameter or number of this name has several values. */
static bool is_vector_name(const struct qp_stencil *s, const struct qp_token *token)
{
    const struct qp_kernel_number *number = qp_stencil_number(s, token);
    bool found = number != NULL && qp_kernel_number_types[number->type].values > 1;
    for (int i = 1; i < s->tokens->count && !found && token->kind == QP_TOKEN_WORD; i++)
        found = is_vector(&s->tokens->of[i - 1]) && qp_token_same(&s->tokens->of[i], token);
    return found;
}

static bool is_array(const struct qp_stencil *s, const struct qp_token *token)
{
    bool found = false;
    for (int k = 0; k < s->file->inputs && !found; k++)
        found = qp_glsl_is_named(token, s->file->array[k].name, "_at");
    return found;
}

/* x, y, z, w, or r, g, b, a, or s, t, p, q: several need C++. */
static enum qp_status check_member(struct qp_stencil *s, int i)
{
    const struct qp_token *token = &s->tokens->of[i];
    const size_t length = (size_t)token->length;
    const int setter = length > 1 ? qp_glsl_setter(s->tokens, i) : -1;
    s->is_cxx = s->is_cxx || length > 1;
    if (setter >= 0 && qp_token_is(&s->tokens->of[setter], "("))
        return refuse(s, token,
                      "several members at once are no 'out' argument in C; hand out a "
                      "variable");
    return length <= 4 &&
                   (strspn(token->at, "xyzw") == length || strspn(token->at, "rgba") == length ||
                    strspn(token->at, "stpq") == length)
               ? QP_OK
               : refuse(s, token,
                        "vectors have members such as x, yx or rgb, and nothing else does");
}

/* A name that is declared after its type. C++ knows it in its own value already, and GLSL does
 * not. */
static enum qp_status check_declared(const struct qp_stencil *s, int i)
{
    const struct qp_token *of = s->tokens->of, *token = &of[i];
    const int end = qp_token_is(token + 1, "=") ? qp_tokens_until(s->tokens, i, ";", ",") : i;
    if (qp_token_is(token, "size"))
        return refuse(s, token, "the grid's size has this name");
    if (qp_glsl_is_type(token))
        return refuse(s, token, "a type has this name");
    if (qp_stencil_number(s, token) != NULL)
        return refuse(s, token, "a number of the kernel has this name");
    for (int k = i + 1; k < end; k++) {
        if (qp_token_same(&of[k], token) && !qp_token_is(&of[k - 1], "."))
            return refuse(s, token,
                          "its value names it too; is a ';' missing at the end of this line?");
    }
    return QP_OK;
}

/* A word that is called, declared or read. */
static enum qp_status check_use(struct qp_stencil *s, int i)
{
    const struct qp_token *token = &s->tokens->of[i];
    const bool called = qp_token_is(token + 1, "("), in_cxx = is_among(token, known_in_cxx);
    if (i > 0 && qp_token_is(token - 1, "."))
        return check_member(s, i);
    if (qp_glsl_is_type(token) && qp_token_is(token + 1, "["))
        return refuse(s, token, "C has no arrays as values; declare TYPE NAME[NUMBER]");
    if (i > 0 && qp_glsl_is_type(token - 1) && !called)
        return check_declared(s, i);
    const struct qp_glsl_function *around = qp_glsl_around(s->tokens, i);
    const bool parameter = around != NULL && around->open < i && i < around->close;
    if ((called && in_cxx) || (is_vector(token) && !parameter) || qp_token_is(token, "out") ||
        qp_token_is(token, "inout") ||
        (!parameter && !qp_token_is(token + 1, ".") && is_vector_name(s, token)))
        s->is_cxx = true;
    if (!called || in_cxx || is_among(token, known) || is_array(s, token) ||
        qp_glsl_defines(s->tokens, token) || is_among(token, "if for while switch return"))
        return QP_OK;
    return refuse(s, token, "programs do not have this function");
}

static enum qp_status check_word(struct qp_stencil *s, int i)
{
    const struct qp_token *token = &s->tokens->of[i];
    const bool member = i > 0 && qp_token_is(token - 1, ".");
    for (size_t k = 0; k < sizeof foreign / sizeof foreign[0] && !member; k++) {
        if (is_among(token, foreign[k].words))
            return refuse(s, token, foreign[k].why);
    }
    return qp_template_defines(token) ? refuse(s, token, taken) : check_use(s, i);
}

/* The stencil's kernel, for those who look at offsets. */
static struct qp_kernel kernel_of(const struct qp_stencil *s)
{
    return (struct qp_kernel){.desc = s->file->desc,
                              .tokens = s->tokens,
                              .inputs = s->file->inputs,
                              .numbers = s->file->head.numbers};
}

/* The divisor of / or % or mod, which begins with this token; NULL: the word is none of them. */
static const struct qp_token *find_divisor(const struct qp_stencil *s, const struct qp_token *word)
{
    const struct qp_token *of = s->tokens->of;
    const int open = (int)(word - of) + 1;
    int last;
    if (is_among(word, "/ /= % %="))
        return &of[open];
    return qp_token_is(word, "mod") && qp_token_is(&of[open], "(") &&
                   qp_glsl_commas(s->tokens, open, &last) > 0
               ? &of[qp_glsl_argument(s->tokens, open, 1)]
               : NULL;
}

static enum qp_status check_sign(const struct qp_stencil *s, int i)
{
    const struct qp_token *token = &s->tokens->of[i];
    if (qp_token_is(token, "^^"))
        return refuse(s, token, "C does not have it; write (a) != (b)");
    if ((qp_token_is(token, "++") || qp_token_is(token, "--")) &&
        ((is_vector_name(s, token + 1) && !qp_token_is(token + 2, ".")) ||
         (i > 0 && is_vector_name(s, token - 1))))
        return refuse(s, token, "vectors are not counted; write += 1.0");
    return QP_OK;
}

static enum qp_status check_divisor(const struct qp_stencil *s, const struct qp_token *token)
{
    const struct qp_kernel kernel = kernel_of(s);
    const struct qp_token *divisor = find_divisor(s, token);
    const bool is_zero = divisor != NULL &&
                         ((divisor->kind == QP_TOKEN_NUMBER && strtod(divisor->at, NULL) == 0.0) ||
                          qp_reach_is_zero(&kernel, divisor));
    return is_zero && (!qp_token_is(token, "mod") || qp_token_is(divisor + 1, ")"))
               ? qp_fail(QP_BAD_INPUT, "%s: a division by zero",
                         QP_PLACE(s->tokens, s->file->path, token->line))
               : QP_OK;
}

/* ---- Functions and constants ---- */

/* A function's name and parameters. Several of one name need C++. */
static enum qp_status check_function(struct qp_stencil *s, const struct qp_glsl_function *function)
{
    const struct qp_token *of = s->tokens->of, *word = &of[function->name];
    for (int i = function->open; i < function->close; i++) {
        if (qp_token_is(&of[i], "["))
            return refuse(s, &of[i - 1], "C does not hand over arrays as values");
    }
    if (is_among(word, known) || is_among(word, known_in_cxx))
        return refuse(s, word, "GLSL has a function of this name");
    bool returns = function->begin < 0 || qp_token_is(&of[function->type], "void");
    for (int i = function->begin; i < function->end && !returns; i++)
        returns = qp_token_is(&of[i], "return");
    if (!returns)
        return refuse(s, word, "it returns no value; end it with 'return VALUE;'");
    for (const struct qp_glsl_function *other = s->tokens->function; other->name > 0; other++)
        s->is_cxx =
            s->is_cxx || (qp_token_same(&of[other->name], word) && other->name != function->name &&
                          other->begin >= 0 && function->begin >= 0);
    return QP_OK;
}

/* Tokens outside of functions: constant definitions, numbers or in C++ expressions of numbers. */
static enum qp_status check_outside(struct qp_stencil *s, int from, int to)
{
    const struct qp_token *of = s->tokens->of;
    bool value = false;
    for (int i = from; i < to; i++) {
        if (qp_token_is(&of[i], ";")) {
            value = false;
            from = i + 1;
        } else if (i == from && !qp_token_is(&of[i], "const")) {
            return refuse(s, &of[i], "outside of functions it takes constants");
        } else if (value && of[i].kind == QP_TOKEN_WORD && !qp_token_is(&of[i + 1], "=")) {
            s->is_cxx = true;
            if (qp_token_is(&of[i + 1], "(") && !qp_glsl_is_type(&of[i]))
                return refuse(s, &of[i], "outside of functions it takes constants of numbers");
        }
        value = value || qp_token_is(&of[i], "=");
    }
    return QP_OK;
}

static enum qp_status check_functions(struct qp_stencil *s)
{
    const struct qp_glsl_function *f = s->tokens->function;
    int from = 0;
    enum qp_status status = QP_OK;
    for (; f->name > 0 && status == QP_OK; f++) {
        status = check_function(s, f);
        if (status == QP_OK)
            status = check_outside(s, from, f->type);
        from = f->begin >= 0 ? f->end + 1 : f->close + 2;
    }
    return status == QP_OK ? check_outside(s, from, s->tokens->count) : status;
}

/* ---- Reads ---- */

static enum qp_status find_reach(struct qp_stencil *s)
{
    struct qp_kernel kernel = kernel_of(s);
    enum qp_status status = qp_reach_find(&kernel);
    s->loops_long = qp_reach_has_long_loops(&kernel);
    for (int k = 0; k < kernel.inputs && status == QP_OK; k++) {
        const int cells = kernel.reach[k].cells;
        status = qp_reach_check(&kernel, k, "programs are generated with offsets that are numbers");
        if (status == QP_OK && kernel.reach[k].parts > 0)
            status = qp_fail(
                QP_BAD_INPUT, "%s: %s is read a part of a cell away; offsets are whole numbers",
                QP_PLACE(s->tokens, s->file->path, kernel.reach[k].parts), s->file->array[k].name);
        if (status == QP_OK && cells > QP_STENCIL_REACH)
            status =
                qp_fail(QP_BAD_INPUT, "%s: %s is read %d cells away, and programs read %d at most",
                        s->file->path, s->file->array[k].name, cells, QP_STENCIL_REACH);
        s->reach = cells > s->reach ? cells : s->reach;
        s->across[k] = kernel.reach[k].across;
    }
    return status == QP_UNSUPPORTED ? qp_fail(QP_BAD_INPUT, "%s", qp_error()) : status;
}

/* True for an integer of more than 31 bits, which C takes for another one than GLSL. */
static bool is_large(const struct qp_token *token)
{
    return !qp_token_is_real(token) && strtoull(token->at, NULL, 0) > 2147483647u;
}

static bool has_colours(const struct qp_kernel_file *file)
{
    int k = 0;
    while (k < file->inputs && file->desc.input[k].channels == 1)
        k++;
    return k < file->inputs;
}

enum qp_status qp_stencil_read(const struct qp_kernel_file *file, struct qp_stencil *out)
{
    const struct qp_kernel_file_owner *owner = (const struct qp_kernel_file_owner *)file;
    const enum qp_array_type type = file->desc.output_type;
    const char *why =
        !file->is_short ? "a whole shader; write the short form, 'float kernel(vec2 here)'"
        : file->places  ? "points (a function place), which OpenGL's vertex shaders alone have"
        : file->desc.output_channels > 1
            ? "a kernel of several values a cell; make each a state, by '//@ state u v'"
        : has_colours(file) ? "an array of several values a cell; make each an array of its own"
        : type == QP_ARRAY_UINT
            ? "a kernel of unsigned integers; programs have float, double and int"
        : file->next != NULL ? "files in turn; write a program of each by itself"
        : file->number[file->head.numbers].name != NULL
            ? "a kernel whose numbers change by step (schedules, step_number, step_count), which "
              "OpenGL's fragments alone have"
            : NULL;
    *out = (struct qp_stencil){.file = file, .tokens = owner->tokens};
    if (qp_stencil_name(out) != QP_OK)
        return QP_BAD_INPUT;
    if (why != NULL)
        return qp_fail(QP_BAD_INPUT, "%s: no program is generated of %s", file->path, why);
    if (qp_shader_check_folder("QUADPASS_TEMPLATE_DIR", "templates") != QP_OK)
        return QP_BAD_INPUT;
    enum qp_status status = qp_glsl_check_sets(out->tokens, file->path);
    if (status == QP_OK)
        status = qp_glsl_check_literals(out->tokens, type == QP_ARRAY_DOUBLE, file->path);
    for (int i = 0; i < out->tokens->count && status == QP_OK; i++) {
        const struct qp_token *token = &out->tokens->of[i];
        if (token->kind == QP_TOKEN_LINE)
            status = refuse(out, token, "lines of the preprocessor are not followed");
        else if (token->kind == QP_TOKEN_WORD)
            status = check_word(out, i);
        else if (token->kind == QP_TOKEN_SIGN)
            status = check_sign(out, i);
        else if (token->kind == QP_TOKEN_NUMBER && is_large(token))
            status = refuse(out, token, "integers are below 2147483648");
        if (status == QP_OK)
            status = check_divisor(out, token);
    }
    if (status == QP_OK)
        status = check_functions(out);
    if (status == QP_OK)
        status = qp_glsl_check_effects(out->tokens, file->path);
    if (status == QP_OK)
        status = find_reach(out);
    if (status == QP_OK)
        status = qp_stencil_check_tuned(out);
    return status == QP_OK ? qp_stencil_check_sync(out) : status;
}
