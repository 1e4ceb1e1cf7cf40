/* SPDX-License-Identifier: MIT */
/* Facts that a shader's tokens say, so that nobody has to repeat them: its functions, words, arrays
 * and uniforms. */
#ifndef QP_TOOLKIT_FACTS_H
#define QP_TOOLKIT_FACTS_H

#include <stdint.h>

#include "toolkit/base/tokens.h"

/* True if a text has this word, in code or in a line of the preprocessor. */
bool qp_glsl_has(const struct qp_tokens *tokens, const char *word);

/* True if a text has a loop. */
bool qp_glsl_loops(const struct qp_tokens *tokens);

/* The first function of this name; NULL: there is none. */
const struct qp_glsl_function *qp_glsl_find(const struct qp_tokens *tokens, const char *name);

/* True for the name of a function that a text has; and its name's token in a #define, or -1. */
bool qp_glsl_defines(const struct qp_tokens *tokens, const struct qp_token *word);
int qp_glsl_macro(const struct qp_tokens *tokens, const struct qp_token *word);

/* True for a body of points: it has a function `place`, and none called `kernel`. */
bool qp_glsl_places(const struct qp_tokens *tokens);

/* The function with token i between its type and its end; NULL: none. */
const struct qp_glsl_function *qp_glsl_around(const struct qp_tokens *tokens, int i);

/* Commas between the arguments of a call whose bracket is at `open`; *last, if there are some, is
 * after the last. */
int qp_glsl_commas(const struct qp_tokens *tokens, int open, int *last);

/* The first token of an argument, 0 the first, of a call whose bracket is at `open`. */
int qp_glsl_argument(const struct qp_tokens *tokens, int open, int number);

/* True for a function that a call, whose bracket is at `open`, may mean: it has the name and the
 * number of arguments. */
bool qp_glsl_calls(const struct qp_tokens *tokens, int open,
                   const struct qp_glsl_function *function);

/* True if token i comes after a word other than return, else, do and case, as a name does after its
 * type, and the bracket of a call. */
bool qp_glsl_follows_word(const struct qp_tokens *tokens, int i);

/* The first token of a single value that ends with token i, in a function: a name or a number with
 * all that is bound to it, or a bracket; -1: there is none. Likewise the last token of one that
 * begins with token i. */
int qp_glsl_value_begin(const struct qp_tokens *tokens, int i);
int qp_glsl_value_end(const struct qp_tokens *tokens, int i);

/* True for a function, by its number, that kernel, place or main leads to, or where a text has none
 * of these; *seen begins as 0. */
bool qp_glsl_is_used(const struct qp_tokens *tokens, int number, uint64_t *seen);

/* The sign that sets the name at token i, = and its like, ++ or --, or the bracket of a call that
 * hands it out; members, elements and brackets around it are its own. -1: it is not set. */
int qp_glsl_setter(const struct qp_tokens *tokens, int i);

/* Type of the parameter of this number, in a call at this token of a function of the text, as a
 * token. -1: it is handed out, an array or a structure; functions of one name differ in it; or the
 * text has no such function. */
int qp_parameter_type(const struct qp_tokens *tokens, int call, int number);

/* Refuses a body that sets what is no variable, such as the cell of a neighbour, which drivers take
 * and drop. Errors: QP_BAD_INPUT, with name, line and the way. */
enum qp_status qp_glsl_check_sets(const struct qp_tokens *tokens, const char *name);

/* Words before a condition; signs that count, and that assign; functions that fetch a texel, the
 * first by an ivec2 and the others by a vec2; NULL ends each. */
extern const char *const qp_glsl_asks[], *const qp_glsl_counts[], *const qp_glsl_assigns[],
                                                                      *const qp_glsl_fetches[];

/* Refuses a variable that an expression sets and names again where the order is left open, or that
 * a call hands out twice. Errors: QP_BAD_INPUT, with name, line and the way. */
enum qp_status qp_glsl_check_effects(const struct qp_tokens *tokens, const char *name);

/* Types of floats and doubles, and of integers and bool; NULL ends each. */
extern const char *const qp_glsl_floats[], *const qp_glsl_wholes[];

/* True for a type of the two. */
bool qp_glsl_is_type(const struct qp_token *token);

/* The token of the type in a declaration of the word at token i; -1: it is declared elsewhere. */
int qp_glsl_declared_by(const struct qp_tokens *tokens, int i);

/* True if the tokens from `begin` up to `end` compute in integers alone; with `converts` also in
 * what becomes one by int(...). */
bool qp_glsl_is_whole(const struct qp_tokens *tokens, int begin, int end, bool converts);

/* A bit for each output that a fragment shader writes by gl_FragData, whose index is a number, or
 * ~0u for all of them; *word is gl_FragData, or gl_FragColor, which is all. */
unsigned qp_glsl_built_in(const struct qp_tokens *tokens, const char **word);

/* ---- Arrays of the short form ---- */

enum { QP_GLSL_LETTERS = 64 }; /* letters of names that are looked for, with the end */

/* True for NAME_at or its like: a name and this ending. */
bool qp_glsl_is_named(const struct qp_token *token, const char *name, const char *ending);

/* Letters of NAME in NAME_at or NAME_cell; 0 for other tokens. */
int qp_glsl_gathered(const struct qp_token *token);

/* True if a text has NAME_at, NAME_cell or NAME_size. */
bool qp_glsl_reads(const struct qp_tokens *tokens, const char *name);

/* The next NAME_at( or NAME_cell( from token *i on, which begins as 0, that the text does not
 * define itself: NAME; false after the last. */
bool qp_glsl_next_gather(const struct qp_tokens *tokens, int *i, char name[QP_GLSL_LETTERS]);

/* The word of the text, or NAME in NAME_at or NAME_cell, that is nearest to a name; "" if none is
 * near. */
void qp_glsl_nearest(const struct qp_tokens *tokens, const char *name, char near[QP_GLSL_LETTERS]);

/* Letters, digits and _, no digit first, at most 63, and no name that GLSL or short kernels
 * have. */
bool qp_kernel_is_name(const char *name);

/* ---- Uniforms ---- */

struct qp_glsl_uniform {
    const struct qp_token *type; /* NULL: not declared */
    bool list;                   /* TYPE NAME[...], or TYPE[...] NAME */
};

/* The declaration `uniform TYPE NAME` of a name. */
struct qp_glsl_uniform qp_glsl_uniform(const struct qp_tokens *tokens, const char *name);

#endif
