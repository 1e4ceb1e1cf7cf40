/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <string.h>

#include "toolkit/glsl/changes.h"
#include "toolkit/glsl/facts.h"

enum { MOST_BYTES = 4096 };

static size_t lines(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

/* Tokens follow each other in the text, their brackets in pairs. */
static void check_tokens(const struct qp_tokens *tokens)
{
    const char *text = tokens->text, *end = text;
    for (int i = 0; i < tokens->all; i++) {
        const struct qp_token *token = &tokens->of[i];
        PROMISE(i >= tokens->count || token->at >= end);
        end = token->at + token->length;
        PROMISE(end <= text + strlen(text));
        PROMISE((token->kind == QP_TOKEN_END) == (token->length == 0));
        PROMISE(token->match < 0 || tokens->of[token->match].match == i);
    }
    end = text;
    for (int i = 0; i < tokens->comments; i++) {
        const struct qp_token *comment = &tokens->comment[i];
        PROMISE(comment->at >= end && comment->at[0] == '/');
        PROMISE(comment->at[1] == '/' || comment->at[1] == '*');
        end = comment->at + comment->length;
        PROMISE(end <= text + strlen(text) && comment->line <= 1 + (int)lines(text));
    }
    PROMISE(tokens->of[tokens->count].kind == QP_TOKEN_END);
    PROMISE(tokens->of[tokens->all - 1].kind == QP_TOKEN_END);
}

/* Names that are found are parts of the text. */
static void check_found(const struct qp_tokens *tokens, const char *text)
{
    const struct qp_glsl_function *function = qp_glsl_find(tokens, "kernel");
    char name[QP_GLSL_LETTERS];
    const char *word;
    PROMISE(function == NULL || qp_glsl_has(tokens, "kernel"));
    PROMISE(function == NULL || function->end < 0 || function->end > function->begin);
    const struct qp_glsl_uniform uniform = qp_glsl_uniform(tokens, "x");
    PROMISE(uniform.type == NULL || qp_glsl_has(tokens, "x"));
    for (int i = 0; qp_glsl_next_gather(tokens, &i, name);) {
        PROMISE(name[0] != '\0' && strstr(text, name) != NULL);
        PROMISE(qp_glsl_reads(tokens, name));
    }
    PROMISE((qp_glsl_built_in(tokens, &word) == 0) == !qp_glsl_has(tokens, word));
    qp_glsl_nearest(tokens, "kernel", name);
    PROMISE(strstr(text, name) != NULL);
}

/* Disguises keep the lines of a text, and are no longer than there is room. */
static void check_disguises(const char *text, const struct qp_kernel_desc *desc)
{
    struct qp_changes d;
    PROMISE(qp_changes_open(text, desc, &qp_disguises, &d) == QP_OK);
    for (int last = 0; qp_changes_next(&d); last = d.kind) {
        PROMISE(d.kind >= last && d.kind < QP_DISGUISES && strcmp(d.other, text) != 0);
        PROMISE(lines(d.other) == lines(text));
        PROMISE(strlen(d.other) < d.room - 1);
        PROMISE(qp_change_line(&d) <= 1 + (int)lines(text));
    }
    qp_changes_close(&d);
}

void fuzz_glsl(const uint8_t *bytes, size_t size)
{
    char text[MOST_BYTES + 1];
    if (size > MOST_BYTES)
        return;
    memcpy(text, bytes, size);
    text[size] = '\0';
    const struct qp_tokens *tokens = qp_tokens_read(text);
    PROMISE(tokens != NULL && strcmp(tokens->text, text) == 0);
    check_tokens(tokens);
    check_found(tokens, text);
    check_disguises(text, &(struct qp_kernel_desc){.input = {{.name = "x"}}});
    check_disguises(text, NULL);
    qp_tokens_release(&tokens);
}
