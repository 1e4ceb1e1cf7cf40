/* SPDX-License-Identifier: MIT */
/* A word on --backend cpu, to who watches a software device draw what C computes much faster. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "toolkit/base/text.h"
#include "toolkit/io/cache.h"
#include "toolkit/kernel_file/kernel_file.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/run/once.h"
#include "tools/cmd/run/trial.h"
#include "tools/stencil/compile.h"

/* True without loops and functions of the C library's, which compilers make no vectors of: five
 * such shaders of the gallery take llvmpipe 19 to 107 times as long as their programs, and
 * mandelbrot, which loops, half as long. */
static bool is_plain(const struct qp_tokens *tokens)
{
    static const char words[] = "for while do sin cos tan asin acos atan exp exp2 log log2 pow "
                                "sinh cosh tanh asinh acosh atanh radians degrees";
    for (int i = 0; i < tokens->count; i++) {
        const struct qp_token *token = &tokens->of[i];
        if (token->kind == QP_TOKEN_WORD && qp_word_number(words, token->at, token->length) > 0)
            return false;
    }
    return true;
}

/* True where make and a compiler are there, and a program is generated of the kernel. */
static bool has_program(const struct run_trial *trial)
{
    struct qp_stencil stencil;
    struct stat of;
    char text[1024], name[QP_BUILD_NAME];
    const char *words[QP_COMPILER_WORDS];
    return qp_stencil_read(trial->file, &stencil) == QP_OK && is_plain(stencil.tokens) &&
           run_machines_take(&trial->inputs) == QP_OK &&
           qp_build_name(&stencil, "c", name) == QP_OK && qp_compiler_words(text, words) > 0 &&
           qp_process_find(words[0], &of) && qp_process_find("make", &of);
}

/* True once a user; never where no mark of it can be left. */
static bool is_first_time(void)
{
    static const char mark[] = "/told-of-backend-cpu";
    char path[PATH_MAX];
    if (qp_cache_folder(path, true) != NULL)
        return false;
    strcat(path, mark); /* there is room for a name */
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return file >= 0 && close(file) == 0;
}

void run_advise(const struct options *options, const struct qp_context *context,
                const struct run_trial *trial, double updates, double seconds)
{
    /* Shorter runs gain nothing that is worth a line, and of few cells the shader was compiled. */
    const double least = 0.5, most_compiled = 1e7;
    if (options->backends != 0 || options->fast || options->disguise || seconds < least ||
        updates < most_compiled || !isatty(STDERR_FILENO) ||
        !qp_context_device(context)->software || !has_program(trial) || !is_first_time())
        return;
    sentence_say("OpenGL's device is the processor here; '--backend cpu' computes this kernel by a "
                 "program in C, which is expected to take half the time or less (said once)");
}
