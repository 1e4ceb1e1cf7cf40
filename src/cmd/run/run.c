/* SPDX-License-Identifier: MIT */
/* `quadpass run`: a fragment shader of the user's over arrays from files, step after step. */
#include "cmd/cmd.h"
#include "cmd/output/sentence.h"
#include "cmd/run/once.h"
#include "cmd/run/outcome.h"

static int run_and_judge(const struct options *options, struct qp_context *context)
{
    int verdicts[QP_VERDICTS] = {0};
    enum qp_verdict verdict;
    const enum qp_status status = run_once(options, context, &verdict);
    if (status != QP_OK)
        return cmd_failed(status);
    verdicts[verdict]++;
    return options->reference != NULL ? cmd_count(options->table, verdicts) : EXIT_GOOD;
}

int cmd_run(int argc, char **argv)
{
    static const struct options_form form = {
        "run", "SHADER.frag",
        "Runs a fragment shader of your own over arrays: a whole shader, or the short form, a "
        "function 'float kernel(vec2 here)' that reads x_at(dx, dy) of each input x. Each step "
        "writes x anew."};
    struct options options;
    struct qp_context *context = NULL;
    options_read(argc, argv, &form, &options);
    if (options.word_count == 0) {
        sentence_say("run takes a shader, such as life.frag");
        return EXIT_USAGE;
    }
    enum qp_status status = outcome_check(&options);
    if (status != QP_OK)
        return cmd_failed(status);
    cmd_catch_interrupt();
    const struct qp_context_desc desc = {.device = options.device};
    status = qp_context_create(&desc, &context);
    if (status != QP_OK)
        return cmd_failed(status);
    const int code =
        options.watch ? run_watched(&options, context) : run_and_judge(&options, context);
    qp_context_destroy(&context);
    return code;
}
