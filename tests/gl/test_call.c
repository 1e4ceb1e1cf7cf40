/* SPDX-License-Identifier: MIT */
/* State of a program that embeds the library, which calls leave alone: its EGL display and context,
 * its locale, its forked children, and code that it has closed. */
#include "support/support.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "toolkit/gl/context/context.h"

#include <EGL/eglext.h>

enum { SIZE = 9 };

static enum qp_status walk(struct qp_context *context, const char *row)
{
    struct qp_problem_desc desc = {.width = SIZE, .height = SIZE};
    struct qp_walk_desc steps = {.iterations = 3};
    struct qp_problem problem;
    struct qp_result result = {0};
    enum qp_status status = qp_problem_create(&desc, &problem);
    if (status == QP_OK)
        status = qp_walk(context, qp_variant_find(row), &problem, &steps, &result);
    qp_problem_destroy(&problem);
    return status == QP_OK && result.verdict != QP_PASS ? QP_DEVICE : status;
}

/* Arrays of a program's own: made, filled, copied, downloaded, read and destroyed. */
static enum qp_status use_arrays(struct qp_context *context)
{
    const struct qp_array_desc desc = {.width = SIZE, .height = SIZE};
    float values[SIZE * SIZE] = {0};
    struct qp_array *array, *other = NULL;
    struct qp_download *download = NULL;
    enum qp_status status = qp_array_create(context, &desc, NULL, &array);
    if (status == QP_OK)
        status = qp_array_create(context, &desc, values, &other);
    if (status == QP_OK)
        status = qp_array_fill(array, NULL, 1.0);
    if (status == QP_OK)
        status = qp_array_copy(array, NULL, other, 0, 0);
    if (status == QP_OK)
        status = qp_array_ask(other, NULL, &download);
    if (status == QP_OK)
        status = qp_download_take(&download, values, 0);
    if (status == QP_OK)
        status = qp_array_read(array, NULL, values, 0);
    qp_array_destroy(&array);
    qp_array_destroy(&other);
    return status;
}

/* ---- A display and a context of its own ---- */

/* The host's context on the display that the library's has, which EGL hands out but once; its
 * texture distinguishes it from all others. */
struct host {
    EGLDisplay display;
    EGLContext handle;
    GLuint texture;
};

static struct host open_host(struct qp_context *context, EGLenum api)
{
    struct host host = {.display = context->display};
    assert_true(eglBindAPI(api));
    assert_true(eglInitialize(host.display, NULL, NULL));
    const EGLint second[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE}, none[] = {EGL_NONE};
    host.handle = eglCreateContext(host.display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
                                   api == EGL_OPENGL_ES_API ? second : none);
    assert_true(host.handle != EGL_NO_CONTEXT);
    assert_true(eglMakeCurrent(host.display, EGL_NO_SURFACE, EGL_NO_SURFACE, host.handle));
    glGenTextures(1, &host.texture);
    glBindTexture(GL_TEXTURE_2D, host.texture);
    return host;
}

static void assert_host_is_whole(const struct host *host, EGLenum api)
{
    GLint bound = 0;
    assert_int_equal(eglGetError(), EGL_SUCCESS);
    assert_int_equal(eglQueryAPI(), api);
    assert_ptr_equal(eglGetCurrentContext(), host->handle);
    assert_ptr_equal(eglGetCurrentDisplay(), host->display);
    assert_non_null(eglQueryString(host->display, EGL_VERSION));
    assert_true(eglMakeCurrent(host->display, EGL_NO_SURFACE, EGL_NO_SURFACE, host->handle));
    assert_true(glIsTexture(host->texture));
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    assert_int_equal(bound, (GLint)host->texture);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void close_host(const struct host *host)
{
    eglMakeCurrent(host->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(host->display, host->handle);
    eglBindAPI(EGL_OPENGL_API);
}

/* Every call leaves the host's context current, and the library's last one its display open. */
CLEAN_TEST(the_hosts_context_survives)
{
    static const EGLenum apis[] = {EGL_OPENGL_API, EGL_OPENGL_ES_API};
    for (int i = 0; i < COUNT(apis); i++) {
        struct qp_context *context = NULL, *second = NULL;
        struct qp_market a = support_random_dense(SIZE, 4);
        struct qp_dense_solution dense;
        struct qp_answer answer;
        if (*state == NULL)
            support_need_context(state);
        assert_ok(qp_context_create(NULL, &context));
        const struct host host = open_host(context, apis[i]);
        assert_ok(walk(context, "luminance"));
        assert_host_is_whole(&host, apis[i]);
        assert_ok(qp_context_create(NULL, &second));
        assert_host_is_whole(&host, apis[i]);
        assert_int_equal(
            qp_context_create(&(struct qp_context_desc){.device = "31"}, &(struct qp_context *){0}),
            QP_NO_DEVICE);
        assert_host_is_whole(&host, apis[i]);
        assert_ok(walk(second, "vertex"));
        assert_ok(walk(context, "rgba_abreast"));
        assert_host_is_whole(&host, apis[i]);
        assert_ok(use_arrays(context));
        assert_host_is_whole(&host, apis[i]);
        assert_ok(qp_solve_dense(context, &a, NULL, 1, NULL, &dense));
        assert_host_is_whole(&host, apis[i]);
        assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, NULL, &answer));
        assert_host_is_whole(&host, apis[i]);
        qp_context_destroy(&second);
        assert_host_is_whole(&host, apis[i]);
        qp_context_destroy(&context);
        assert_host_is_whole(&host, apis[i]);
        qp_answer_destroy(&answer);
        qp_dense_solution_destroy(&dense);
        qp_market_destroy(&a);
        close_host(&host);
    }
}

static void make_hosts_current(void *user, enum qp_stage stage, struct qp_plan *plan,
                               double seconds)
{
    const struct host *host = user;
    (void)plan, (void)seconds;
    if (stage == QP_STAGE_UNPACK)
        assert_true(eglMakeCurrent(host->display, EGL_NO_SURFACE, EGL_NO_SURFACE, host->handle));
}

/* Objects that a walk deletes after a callback made the host's context current are its own. */
CLEAN_TEST(callbacks_may_make_theirs_current)
{
    struct qp_context *context = support_need_context(state);
    struct host host = open_host(context, EGL_OPENGL_API);
    struct qp_walk_desc desc = {.iterations = 1, .on_stage = make_hosts_current, .user = &host};
    struct qp_problem problem;
    struct qp_result result;
    GLuint more[64];
    glGenTextures(COUNT(more), more);
    for (int i = 0; i < COUNT(more); i++)
        glBindTexture(GL_TEXTURE_2D, more[i]);
    glBindTexture(GL_TEXTURE_2D, host.texture);
    assert_ok(
        qp_problem_create(&(struct qp_problem_desc){.width = SIZE, .height = SIZE}, &problem));
    assert_ok(qp_walk(context, qp_variant_find("luminance"), &problem, &desc, &result));
    assert_int_equal(result.verdict, QP_PASS);
    assert_host_is_whole(&host, EGL_OPENGL_API);
    for (int i = 0; i < COUNT(more); i++)
        assert_true(glIsTexture(more[i]));
    qp_problem_destroy(&problem);
    close_host(&host);
}

/* Without a context of the host's the library's own stays current, as context.h says. */
CLEAN_TEST(else_the_librarys_stays_current)
{
    struct qp_context *context = NULL;
    support_need_context(state);
    eglMakeCurrent(((struct qp_context *)*state)->display, EGL_NO_SURFACE, EGL_NO_SURFACE,
                   EGL_NO_CONTEXT);
    assert_ok(qp_context_create(NULL, &context));
    assert_ptr_equal(eglGetCurrentContext(), context->handle);
    assert_ok(walk(*state, "luminance"));
    assert_ptr_equal(eglGetCurrentContext(), ((struct qp_context *)*state)->handle);
    qp_context_destroy(&context);
}

/* EGL is asked where a program has changed the mark of the library's context (call.h). */
CLEAN_TEST(contexts_are_known_without_their_mark)
{
    struct qp_context *context = NULL;
    support_need_context(state);
    assert_ok(qp_context_create(NULL, &context));
    glClearStencil(7);
    assert_ok(use_arrays(context));
    const struct host host = open_host(context, EGL_OPENGL_API);
    assert_ok(use_arrays(context));
    assert_host_is_whole(&host, EGL_OPENGL_API);
    qp_context_destroy(&context);
    close_host(&host);
}

/* ---- A driver of EGL 1.4 ---- */

/* Mesa's softpipe is one: words of EGL 1.5 that ask for nothing are refused all the same. */
TEST(an_older_egl_is_opened)
{
    static const char look[] = "QUADPASS_DEVICE=llvmpipe " QP_BUILD_DIR "/quadpass info ";
    char command[512];
    snprintf(command, sizeof command, "%s >/dev/null 2>&1", look);
    if (system(command) != 0) {
        print_message("skipped: there is no driver of Mesa's here\n");
        skip();
    }
    snprintf(command, sizeof command, "GALLIUM_DRIVER=softpipe %s | grep -q '^renderer  *softpipe'",
             look);
    assert_int_equal(system(command), 0);
}

/* ---- Numbers in its language ---- */

/* A language that writes 0,5, made into `folder` where there is none. False without localedef. */
static bool speak_with_commas(const char *folder)
{
    char command[256];
    const char *name = "de_DE.UTF-8";
    if (setlocale(LC_ALL, name) == NULL) {
        snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/%s >%s/log 2>&1", folder,
                 name, folder);
        if (system("command -v localedef >/dev/null && test -e /usr/share/i18n/locales/de_DE") != 0)
            return false;
        const int code = system(command); /* 1: there were warnings */
        assert_true(WIFEXITED(code) && WEXITSTATUS(code) <= 1);
        assert_int_equal(setenv("LOCPATH", folder, 1), 0);
        assert_non_null(setlocale(LC_ALL, name));
    }
    char text[8];
    snprintf(text, sizeof text, "%.1f", 0.5);
    assert_string_equal(text, "0,5");
    return true;
}

/* A comma between two digits. */
static bool has_comma(const char *text)
{
    for (const char *at = text; (at = strchr(at, ',')) != NULL; at++) {
        if (at > text && strspn(at - 1, "0123456789") == 1 && strspn(at + 1, "0123456789") > 0)
            return true;
    }
    return false;
}

static void note_text(void *user, const struct qp_progress *progress)
{
    char text[32];
    snprintf(text, sizeof text, "%.2f", progress->residual);
    *(bool *)user = *(bool *)user || has_comma(text);
}

static void look_at_report(void)
{
    const struct qp_tally tally = {
        .worst = {.variant = qp_variant_at(0), .verdict = QP_PASS}, .passed = 1, .seconds = 0.25};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_ok(qp_report_junit(out, &tally, 1, NULL));
    fclose(out);
    assert_non_null(strstr(text, " time=\"0.250\""));
    free(text);
}

CLEAN_TEST(numbers_have_a_point)
{
    static const double wanted[] = {0.5, -1.25e-300, 12345.678, 5e-324};
    char folder[] = "/tmp/quadpass-host-XXXXXX", path[64], text[256] = "";
    struct qp_market a;
    struct qp_solution solution;
    struct qp_kernel_file_head head = {.arrays = 0};
    bool commas = false;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.mtx", folder);
    if (!speak_with_commas(folder)) {
        print_message("skipped: there is no localedef, nor a language with commas\n");
        skip();
    }
    assert_ok(qp_kernel_file_say(&head, "tolerance", "0.5")); /* 0,5 would be read as 0 */
    assert_ok(qp_market_write(path, 4, 1, wanted));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(
        text,
        "%%MatrixMarket matrix array real general\n4 1\n0.5\n-1.25e-300\n12345.678\n5e-324\n");
    assert_ok(qp_market_read(path, &a));
    assert_memory_equal(a.value, wanted, sizeof wanted);
    qp_market_destroy(&a);
    assert_int_equal(
        qp_problem_create(&(struct qp_problem_desc){.weight = 2.5}, &(struct qp_problem){0}),
        QP_BAD_USE);
    support_assert_sentence("a weight of 2.5 is");
    assert_ok(qp_market_read(QP_SOURCE_DIR "/data/gr_30_30.mtx", &a));
    assert_ok(qp_solve(*state, &a, NULL, NULL,
                       &(struct qp_solve_desc){.on_progress = note_text, .user = &commas},
                       &solution));
    if (has_comma(solution.sentence) || strstr(solution.sentence, "e-0") == NULL)
        fail_msg("%s", solution.sentence);
    assert_false(commas); /* the watcher is within the call */
    qp_solution_destroy(&solution);
    qp_market_destroy(&a);
    look_at_report();
    snprintf(text, sizeof text, "%.1f", 0.5); /* and the host's own are as they were */
    assert_string_equal(text, "0,5");
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    snprintf(text, sizeof text, "rm -r %s", folder);
    assert_int_equal(system(text), 0);
}

/* ---- Forked children ---- */

/* In the child: 0 if all that computes is refused, else the number of what was not. */
static int try_all(struct qp_context *context)
{
    struct qp_market a = support_random_dense(SIZE, 4), *matrix = &a;
    struct qp_context *own = NULL, *old = context;
    struct qp_dense_solution dense;
    struct qp_solution solution;
    struct qp_answer answer;
    const enum qp_status answers[] = {
        walk(NULL, "openmp"),
        walk(NULL, "reference"),
        context != NULL ? walk(context, "luminance") : QP_BAD_USE,
        context != NULL ? use_arrays(context) : QP_BAD_USE,
        qp_context_create(NULL, &own),
        qp_solve(context, matrix, NULL, NULL, NULL, &solution),
        qp_solve_dense(NULL, matrix, NULL, 1, NULL, &dense),
        qp_invert(NULL, matrix, NULL, &dense),
        qp_solve_system(context, matrix, NULL, 1, NULL, NULL, &answer)};
    for (int i = 0; i < COUNT(answers); i++) {
        if (answers[i] != QP_BAD_USE)
            return 1 + i;
    }
    if (own != NULL || strstr(qp_error(), "was forked from") == NULL)
        return 50;
    qp_context_destroy(&old);
    qp_market_destroy(&a);
    return old == NULL ? 0 : 51;
}

/* Calls in a forked child return, and do not wait for threads that only the parent has. */
CLEAN_TEST(a_forked_child_is_refused)
{
    int code = 0;
    assert_ok(walk(NULL, "openmp"));
    if (*state != NULL)
        assert_ok(walk(*state, "luminance"));
    pid_t child = fork();
    if (child == 0) {
        alarm(30);
        _exit(try_all(*state));
    }
    assert_true(child > 0 && waitpid(child, &code, 0) == child);
    if (!WIFEXITED(code) || WEXITSTATUS(code) != 0)
        fail_msg("the child ended with %x", (unsigned)code);
    assert_ok(walk(NULL, "openmp")); /* the parent goes on */
    if (*state != NULL)
        assert_ok(walk(*state, "luminance"));
}

/* ---- A program that has the library by dlopen alone (tests/support/reopen.c) ---- */

static void reopen(const char *word)
{
    char command[512];
    snprintf(command, sizeof command, "%s/tests/support/reopen %s/libquadpass.so %s", QP_BUILD_DIR,
             QP_BUILD_DIR, word);
    const int code = system(command);
    if (!WIFEXITED(code) || WEXITSTATUS(code) != 0)
        fail_msg("%s ended with %x", command, (unsigned)code);
}

/* A parent that has but read files may leave the computing to its children. */
TEST(a_child_of_one_that_did_not_compute)
{
    reopen("fork");
}

/* Opened, used on OpenMP's threads, and closed, twenty times. */
TEST(the_library_may_be_closed)
{
    reopen("20");
}

GROUP(support_open_context, support_close_context)
