/* SPDX-License-Identifier: MIT */
/* Bodies drawn `precise` (GL_ARB_gpu_shader5): every variable is declared so, and every value that
 * a function returns or is handed, or that a condition compares, gets a name that is. A compiler
 * then computes what is written, in that order: it reassociates nothing, and fuses no product with
 * a sum. Integers alone, constants and macros are left as they are. No line moves. */
#include <stdio.h>
#include <stdlib.h>

#include "toolkit/glsl/changes.h"
#include "toolkit/kernel/kernel.h"

/* Changes at a token. */
struct change {
    int opens, closes; /* conditions that begin before it; those and arguments that end after it */
    int argument;      /* type token of an argument that begins before it; 0: none */
    int names; /* other brace of a function whose first this is: arguments between get names */
    bool declares;
    int returns; /* type token of a `return` with a value; 0: none */
    bool ends_return;
};

struct rewriting {
    struct qp_changes text;
    struct change *at; /* each token's */
    bool whole;        /* a whole shader: arguments are left as they are */
};

/* ---- Declarations ---- */

/* A basic type, or a structure of the text. */
static bool is_type(const struct qp_tokens *tokens, int i)
{
    const struct qp_token *token = &tokens->of[i];
    if (qp_glsl_is_type(token))
        return true;
    bool found = false;
    for (int k = 1; token->kind == QP_TOKEN_WORD && k < i && !found; k++)
        found = qp_token_is(&tokens->of[k - 1], "struct") && qp_token_same(&tokens->of[k], token);
    return found;
}

static int statement_end(const struct qp_tokens *tokens, int i)
{
    return qp_tokens_until(tokens, i, ";", ";");
}

/* The token of the name that is declared after the type at i; -1 for a function, a constructor or a
 * member. */
static int declared_name(const struct qp_tokens *tokens, int i)
{
    int name = i + 1;
    if (qp_token_is(&tokens->of[name], "[") && tokens->of[name].match > 0)
        name = tokens->of[name].match + 1;
    return tokens->of[name].kind == QP_TOKEN_WORD && !qp_token_is(&tokens->of[name + 1], "(") ? name
                                                                                              : -1;
}

/* Marks the declaration by the type at i before its qualifiers. A constant is exact by itself, and
 * so is an integer that begins with one. */
static void mark_declaration(struct rewriting *r, int i)
{
    static const char *const qualifiers[] = {"in",      "out",   "inout", "lowp",
                                             "mediump", "highp", NULL};
    static const char *const others[] = {"const",     "uniform", "varying", "attribute",
                                         "invariant", "precise", NULL};
    const struct qp_token *of = r->text.tokens->of;
    int first = i;
    while (first > 0 && qp_token_is_one_of(&of[first - 1], qualifiers))
        first--;
    const int name = declared_name(r->text.tokens, i);
    if (name < 0 || (first > 0 && qp_token_is_one_of(&of[first - 1], others)))
        return;
    const bool counts =
        qp_token_is_one_of(&of[i], qp_glsl_wholes) && qp_token_is(&of[name + 1], "=") &&
        qp_glsl_is_whole(r->text.tokens, name + 2, statement_end(r->text.tokens, name), false);
    r->at[first].declares = !counts;
}

/* ---- Conditions ---- */

/* Names the condition from token `begin` up to `end`; a single word has a name. */
static void name_condition(struct rewriting *r, int begin, int end)
{
    if (end - begin < 2 || is_type(r->text.tokens, begin) ||
        qp_glsl_is_whole(r->text.tokens, begin, end, false))
        return;
    r->at[begin].opens++;
    r->at[end - 1].closes++;
}

/* The first token of the condition before the ? at token i: after the sign that binds weaker. */
static int condition_begin(const struct qp_tokens *tokens, int i)
{
    static const char *const weaker[] = {"=",   "+=", "-=", "*=", "/=", "%=",     "<<=",
                                         ">>=", "&=", "|=", "^=", ",",  ";",      "?",
                                         ":",   "(",  "[",  "{",  "}",  "return", NULL};
    return qp_tokens_since(tokens, i, weaker);
}

/* The condition of `if (`, `while (` or `for (...;` at token i. */
static void mark_condition(struct rewriting *r, int i)
{
    const struct qp_tokens *tokens = r->text.tokens;
    const int open = i + 1, end = tokens->of[open].match;
    if (!qp_token_is(&tokens->of[open], "("))
        return;
    const bool loops = qp_token_is(&tokens->of[i], "for");
    const int begin = loops ? statement_end(tokens, open + 1) + 1 : open + 1;
    if (begin < end)
        name_condition(r, begin, loops ? statement_end(tokens, begin) : end);
}

/* ---- Arguments ---- */

/* True for more than a name, a number or a read of an array, with a minus or without. */
static bool is_computed(const struct qp_tokens *tokens, int begin, int end)
{
    char name[QP_GLSL_LETTERS];
    int first = begin + qp_token_is(&tokens->of[begin], "-"), next = first;
    const bool reads = qp_glsl_next_gather(tokens, &next, name) && next == first + 1 &&
                       tokens->of[next].match == end - 1;
    return first + 1 < end && !reads && !qp_glsl_is_whole(tokens, begin, end, false);
}

/* Names what a call at this token hands to a function of the body. */
static void mark_arguments(struct rewriting *r, int call)
{
    const struct qp_tokens *tokens = r->text.tokens;
    for (int i = call + 2, end, k = 0; i < tokens->of[call + 1].match; i = end + 1, k++) {
        const int type = qp_parameter_type(tokens, call, k);
        end = qp_tokens_until(tokens, i, ",", ",");
        if (type >= 0 && is_computed(tokens, i, end)) {
            r->at[i].argument = type;
            r->at[end - 1].closes++;
        }
    }
}

/* ---- Functions ---- */

/* Parameters are qualified alike in a prototype and in its function, and the kernel's prototype is
 * the head's: those that are handed out alone are precise. */
static void mark_parameters(struct rewriting *r, const struct qp_glsl_function *function)
{
    static const char *const given_back[] = {"out", "inout", NULL};
    for (int i = function->open + 1; i < function->close; i++)
        r->at[i].declares = qp_token_is_one_of(&r->text.tokens->of[i], given_back);
}

static void mark_body(struct rewriting *r, const struct qp_glsl_function *function)
{
    static const char *const asking[] = {"if", "while", "for", NULL};
    const struct qp_token *of = r->text.tokens->of;
    r->at[function->begin].names = function->end;
    for (int i = function->begin + 1; i < function->end; i++) {
        if (qp_token_is(&of[i], "const")) /* a constant expression, which sets nothing */
            i = statement_end(r->text.tokens, i);
        else if (qp_token_is_one_of(&of[i], asking))
            mark_condition(r, i);
        else if (qp_token_is(&of[i], "?"))
            name_condition(r, condition_begin(r->text.tokens, i), i);
        else if (qp_token_is(&of[i], "return") && !qp_token_is(&of[i + 1], ";") &&
                 is_type(r->text.tokens, function->type)) {
            const int end = statement_end(r->text.tokens, i);
            r->at[end].ends_return = qp_token_is(&of[end], ";");
            r->at[i].returns = r->at[end].ends_return ? 1 + function->type : 0;
        } else if (!r->whole && qp_token_is(&of[i + 1], "(")) {
            mark_arguments(r, i);
        }
    }
}

static void mark(struct rewriting *r)
{
    for (int i = 0; i < r->text.tokens->count; i++) {
        if (qp_token_is(&r->text.tokens->of[i], "struct")) { /* members have no qualifiers */
            i = qp_tokens_find(r->text.tokens, i, "{");
            if (i < r->text.tokens->count && r->text.tokens->of[i].match > i)
                i = r->text.tokens->of[i].match;
        } else if (is_type(r->text.tokens, i)) {
            mark_declaration(r, i);
        }
    }
    for (const struct qp_glsl_function *f = r->text.tokens->function; f->name > 0; f++) {
        mark_parameters(r, f);
        if (f->begin >= 0)
            mark_body(r, f);
    }
}

/* Writes the text from token i on. */
static void write_rest(struct rewriting *r, int i)
{
    struct qp_changes *c = &r->text;
    for (; i < c->tokens->count; i++) {
        const struct qp_token *of = c->tokens->of, *token = &of[i];
        const struct change *change = &r->at[i];
        qp_changes_copy(c, token->at);
        if (change->argument > 0)
            qp_changes_add(c, "(qp_argument%d = (", i);
        for (int k = 0; k < change->opens; k++)
            qp_changes_add(c, "(qp_holds = (");
        if (change->declares)
            qp_changes_add(c, "precise ");
        if (change->returns > 0) {
            const struct qp_token *type = &of[change->returns - 1];
            qp_changes_add(c, "{ precise %.*s qp_value = ", type->length, type->at);
            c->from = qp_token_end(token);
        }
        qp_changes_copy(c, qp_token_end(token));
        for (int k = i; k < change->names; k++)
            if (r->at[k].argument > 0)
                qp_changes_add(c, " precise %.*s qp_argument%d;", of[r->at[k].argument].length,
                               of[r->at[k].argument].at, k);
        for (int k = 0; k < change->closes; k++)
            qp_changes_add(c, "))");
        if (change->ends_return)
            qp_changes_add(c, " return qp_value; }");
    }
}

/* ---- Whole shaders ---- */

/* The token after the lines of the preprocessor that a shader begins with, where no #if is open. */
static int find_top(const struct qp_tokens *tokens)
{
    int top = 0, open = 0;
    for (int i = 0, k = tokens->count + 1; tokens->of[i].kind == QP_TOKEN_LINE; i++, k++) {
        open += strncmp(tokens->of[k].at, "if", 2) == 0;
        open -= qp_token_is(&tokens->of[k], "endif");
        while (tokens->of[k].kind != QP_TOKEN_END)
            k++;
        if (open == 0)
            top = i + 1;
    }
    return top;
}

/* Writes a whole shader's lines up to where its code begins, with what bodies have from their head;
 * returns the next token. */
static int write_top(struct qp_changes *c)
{
    const char *word;
    const int top = find_top(c->tokens);
    const bool named = qp_glsl_built_in(c->tokens, &word) != 0;
    if (top > 0)
        qp_changes_copy(c, qp_token_end(&c->tokens->of[top - 1]));
    qp_changes_add(c, "\n#extension GL_ARB_gpu_shader5 : enable\nprecise bool qp_holds; %s%s;",
                   named ? "precise " : "", named ? word : "");
    return top;
}

/* ---- Sums of products ---- */

/* Functions in the order of templates/glsl.hpp. One hides all that GLSL has of its name, so each
 * type gets its own. */
static const char sum_functions[] =
    "#define QP_SUMS(T, V, SUM)"
    " T dot(V a, V b) { precise V p = a * b; precise T sum = SUM; return sum; }"
    " T length(V a) { precise T root = sqrt(dot(a, a)); return root; }"
    " T distance(V a, V b) { precise V c = a - b; return length(c); }"
    " V normalize(V a) { precise V unit = a * inversesqrt(dot(a, a)); return unit; }\n"
    "#define QP_SUM_KINDS(T, V2, V3, V4)"
    " T dot(T a, T b) { precise T p = a * b; return p; }"
    " T length(T a) { precise T root = sqrt(dot(a, a)); return root; }"
    " T distance(T a, T b) { precise T c = a - b; return length(c); }"
    " T normalize(T a) { precise T unit = a * inversesqrt(dot(a, a)); return unit; }"
    " QP_SUMS(T, V2, p.y + p.x) QP_SUMS(T, V3, p.z + p.y + p.x)"
    " QP_SUMS(T, V4, p.w + p.z + p.y + p.x)\n"
    "QP_SUM_KINDS(float, vec2, vec3, vec4)\n"
    "#if __VERSION__ >= 400\nQP_SUM_KINDS(double, dvec2, dvec3, dvec4)\n#endif\n"
    "#undef QP_SUMS\n#undef QP_SUM_KINDS\n";

const char *qp_sum_functions(const struct qp_tokens *tokens)
{
    static const char *const names[] = {"dot", "length", "distance", "normalize"};
    bool calls = false, own = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        calls = calls || qp_glsl_has(tokens, names[i]);
        own = own || qp_glsl_find(tokens, names[i]) != NULL;
    }
    return calls && !own ? sum_functions : "";
}

/* ---- Texts ---- */

enum qp_status qp_precise_text(const char *text, bool whole, char **out)
{
    struct rewriting r = {.whole = whole};
    *out = NULL;
    if (qp_changes_open(text, NULL, NULL, &r.text) != QP_OK)
        return QP_NO_MEMORY;
    r.at = qp_alloc_zero((size_t)r.text.tokens->count + 1, sizeof *r.at, "a precise shader");
    if (r.at != NULL) {
        mark(&r);
        write_rest(&r, whole ? write_top(&r.text) : 0);
        *out = qp_changes_take(&r.text);
    }
    free(r.at);
    qp_changes_close(&r.text);
    return *out != NULL ? QP_OK : QP_NO_MEMORY;
}
