/* SPDX-License-Identifier: MIT */
/* Would the reference notice? Each place where a shader reads an array, and each word that
 * computes, is spoiled once, and the check must fail. */
#ifndef QUADPASS_SPOIL_H
#define QUADPASS_SPOIL_H

#include <quadpass/context.h>
#include <quadpass/problem.h>
#include <quadpass/variant.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Kinds of mutants: a read is replaced by nothing, and reads the texel left, right, below and
 * above; a number among an element's brackets, in the arguments of a read or in a loop's head is
 * one more and one less; plus is minus, and minus plus; of a sum, a product, a quotient, "and" and
 * "or" an operand is left out; a comparison takes in the equal or leaves it out, and is turned
 * round; a number with a point is multiplied by 1.01. */
enum qp_mutant {
    QP_MUTANT_READ,
    QP_MUTANT_INDEX,
    QP_MUTANT_SIGN,
    QP_MUTANT_OPERAND,
    QP_MUTANT_COMPARISON,
    QP_MUTANT_CONSTANT,
    QP_MUTANTS
};

/* Their names in a table: "reads", "indices" ... Errors: none; NULL for another number. Owner: the
 * library. Threads: any. */
const char *qp_mutant_name(int mutant);

/* A spoiled shader, and what became of it. */
struct qp_spoiled {
    const char *shader; /* its name in messages */
    int line;
    const char *was, *is; /* the call or the operands as they were, and as they were spoiled */
    bool noticed;         /* the walk failed; false: the mutant survives */
    const char *reason;   /* why it failed */
    enum qp_mutant kind;
    int draw;         /* number of the variant's program, from 0 on */
    const char *text; /* its whole text */
};

/* Zero means default. */
struct qp_spoil_desc {
    int iterations; /* steps of each walk; 0: 1 */
    /* Called after each mutant; its strings live as long as the call. */
    void (*on_mutant)(void *user, const struct qp_spoiled *mutant);
    void *user;
    unsigned kinds; /* a bit, 1 << QP_MUTANT_SIGN, for each kind; 0: reads alone */
};

enum { QP_MUTANTS_ALL = (1 << QP_MUTANTS) - 1 /* bits of all kinds */ };

struct qp_spoil_tally {
    int made, noticed;
};

struct qp_spoil_result {
    int made, noticed;
    char survivor[512]; /* the first mutant that nothing noticed, as a sentence; else empty */
    struct qp_spoil_tally kind[QP_MUTANTS];
};

/* Walks a variant that draws, and then each of its mutants. Reads are calls of texture2DRect,
 * texture and texelFetch in its fragment shaders, or of NAME_at and NAME_cell in its bodies. A text
 * that does not compile then, as after a change in the definition of a function or a macro, is no
 * mutant; and nothing is changed in functions that are not called, nor what may keep a loop from
 * ending: the counts of loops, all in while and do. A mutant that the walk passes survives: either
 * the change has no effect, or the reference, its tolerance or the problem's size and values do not
 * show it. The variant itself must pass. Errors: QP_BAD_USE for NULL and for
 * variants that draw by no fragment shader of their own, or that do not pass; those of qp_walk.
 * Owner: none. Threads: the context's. */
enum qp_status qp_spoil(struct qp_context *context, const struct qp_variant *variant,
                        struct qp_problem *problem, const struct qp_spoil_desc *desc,
                        struct qp_spoil_result *out);

/* ---- Disguises, the twins of mutants ---- */

struct qp_disguise_result {
    int made;             /* disguises that the driver compiles */
    int leaning;          /* disguises whose bits differ where the driver may round as it likes */
    char difference[512]; /* the first that gives other numbers, as a sentence; else empty */
    char remark[512];     /* the first that leans on the optimiser, likewise */
};

/* Walks a variant that draws, and then each of its disguises: other texts of its fragment shaders
 * that must give the same numbers. A function's body goes under a condition that is always true, or
 * into a loop of one round; a value is multiplied by one; a fetch is moved into a function; the
 * operands of a sum are swapped; names are changed. Variant and disguise are drawn `precise`
 * (kernel.h) for that. Software drivers must then give the same bits, other devices numbers that
 * the reference passes. A disguise that differs without `precise` alone is counted and is no fault.
 * The variant must pass. Errors: QP_BAD_USE for NULL and for variants that draw by no fragment
 * shader of their own, or that do not pass; QP_UNSUPPORTED for one that races, whose bits differ
 * each time; those of qp_walk. Owner: none. Threads: the context's. */
enum qp_status qp_disguise(struct qp_context *context, const struct qp_variant *variant,
                           struct qp_problem *problem, int iterations,
                           struct qp_disguise_result *out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
