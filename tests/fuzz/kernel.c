/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <string.h>

#include "toolkit/kernel/kernel.h"

enum { MOST_BYTES = 4096 };

/* A line of the text, which ends there; *text is set to the next. */
static char *take_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');
    *text = end != NULL ? end + 1 : line + strlen(line);
    if (end != NULL)
        *end = '\0';
    return line;
}

static void check_reach(struct qp_kernel *kernel, const char *body)
{
    const enum qp_status status = qp_reach_find(kernel);
    PROMISE(status == QP_OK || status == QP_BAD_USE);
    PROMISE(status == QP_OK || strstr(body, "_at") != NULL || strstr(body, "#") != NULL);
    PROMISE(status == QP_OK || qp_error()[0] != '\0');
}

/* The text in front of a body, for every outside. */
static void check_head(const struct qp_kernel *kernel)
{
    const double beyond[QP_KERNEL_INPUTS] = {1.0};
    for (unsigned outside = 0; outside < 8; outside++) {
        char *head = qp_kernel_head(kernel, outside, outside % 2 != 0 ? beyond : NULL);
        PROMISE(head != NULL);
        PROMISE(strncmp(head, "#version ", 9) == 0 && strstr(head, "void main()") != NULL);
        PROMISE(strstr(head, kernel->desc.input[0].name) != NULL);
        PROMISE(head[strlen(head) - 1] == '\n');
        free(head);
    }
}

/* Whatever a driver says becomes a sentence with the same status. */
static void check_words(const struct qp_kernel *kernel, const char *words)
{
    static const enum qp_status statuses[] = {QP_DEVICE, QP_BAD_INPUT};
    for (int i = 0; i < 2; i++) {
        qp_fail(statuses[i], "stage 4, program: %s", words);
        PROMISE(qp_kernel_explain(kernel, statuses[i]) == statuses[i]);
        PROMISE(strncmp(qp_error(), "stage ", 6) != 0 || strncmp(words, "stage ", 6) == 0);
    }
}

/* Three lines, the names of an input and of a number and what a driver says, and the body after
 * them. */
void fuzz_kernel(const uint8_t *bytes, size_t size)
{
    char text[MOST_BYTES + 1], *body = text;
    if (size == 0 || size > MOST_BYTES)
        return;
    memcpy(text, bytes, size);
    text[size] = '\0';
    const char *input = take_line(&body), *number = take_line(&body), *words = take_line(&body);
    struct qp_kernel kernel = {.inputs = 1, .outputs = 1 + bytes[0] % 2, .channels = 1};
    kernel.desc = (struct qp_kernel_desc){.name = "fuzz",
                                          .body = body,
                                          .outputs = kernel.outputs,
                                          .input = {{.name = input, .reach = 2}}};
    if (!qp_kernel_is_name(input))
        return;
    if (qp_kernel_is_name(number))
        kernel.desc.number[kernel.numbers++].name = number;
    PROMISE((kernel.tokens = qp_tokens_read(body)) != NULL);
    const enum qp_status outputs = qp_kernel_check_body(&kernel);
    PROMISE(outputs == QP_OK || outputs == QP_BAD_INPUT ||
            (outputs == QP_BAD_USE && (kernel.outputs > 1 || strstr(body, "varying") != NULL)));
    check_reach(&kernel, body);
    check_head(&kernel);
    check_words(&kernel, words);
    qp_tokens_release(&kernel.tokens);
}
