/* SPDX-License-Identifier: MIT */
/* How steps are drawn: in parts where they take long, by a clock that is the test's. */
/* wrap: qp_clock */
#include "support/fake_runs.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/shell.h"
#include "toolkit/base/tokens.h"
#include "toolkit/base/watch.h"
#include "toolkit/gl/context/context.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/output/grid.h"

static int go_to_folder(void **state)
{
    return make_folder(state) != 0 || chdir(folder) != 0 ? -1 : 0;
}

/* Links and draws during which the sentence of an interrupt names what it waits for. */
static int compiles, waits;
static PFNGLLINKPROGRAMPROC link_program;
static PFNGLUSEPROGRAMPROC use_program;

static void GLAPIENTRY note_link(GLuint id)
{
    compiles += qp_watch_library != NULL && strcmp(qp_watch_library, "the shader's compiler") == 0;
    link_program(id);
}

static void GLAPIENTRY note_use(GLuint id)
{
    waits += qp_watch_library != NULL && strcmp(qp_watch_library, "the device") == 0;
    use_program(id);
}

/* The kernel file, the trial and its programs, one for each outside, share what was cut once. */
TEST(texts_are_cut_once)
{
    need_gl();
    write_file("once.frag",
               "float kernel(vec2 here) { return x_at(1.0, 0.0) + y_at(0.0, 1.0); }\n");
    const int before = qp_tokens_cuts();
    fake_command(command_run,
                 "run once.frag --input x=ones --input y=ones --outside clamp --size 9x5 "
                 "--steps 3 -o once.npy");
    assert_int_equal(qp_tokens_cuts() - before, 1);
}

/* Costly cells are drawn in parts, which change nothing, derivatives neither. */
TEST(passes_in_parts)
{
    need_gl();
    write_file("parts.frag", "float kernel(vec2 here) { return x_at(0, 0) + here.x + 100.0 * "
                             "here.y + 10000.0 * dFdx(gl_FragCoord.x * gl_FragCoord.x); }\n");
    fake_command(command_run, "run parts.frag --size 3"); /* loads the driver's functions */
    link_program = __glewLinkProgram, use_program = __glewUseProgram;
    for (int slow = 0; slow < 2; slow++) {
        struct qp_matrix m;
        int channels;
        fake.tick = slow, compiles = waits = 0;
        __glewLinkProgram = note_link, __glewUseProgram = note_use;
        fake_command(command_run, "run parts.frag --input x=zeros --size 37x23 --steps 2 -o p.npy");
        __glewLinkProgram = link_program, __glewUseProgram = use_program;
        assert_int_equal(grid_read("p.npy", &m, &channels), QP_OK);
        for (int i = 0; i < 37 * 23; i++)
            assert_true(m.values[i] ==
                        2 * (i % 37 + 100 * (i / 37) + 10000 * (i % 37 / 2 * 4 + 2)));
        qp_matrix_destroy(&m);
        assert_true(compiles == 1 && (slow ? waits > 2 * 37 * 23 / 4 : waits == 1));
    }
}

enum { WIDTH = 19, HEIGHT = 5 }; /* size that no other read has */

/* Reads of the state: the library's calls of OpenGL's function come here first. */
static int reads, last_read; /* last_read: Ctrl-C is pressed during it; 0: never */

void glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                  void *values)
{
    void (*real)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *);
    *(void **)&real = dlsym(RTLD_NEXT, "glReadPixels");
    assert_non_null(real);
    real(x, y, width, height, format, type, values);
    reads += width == WIDTH && height == HEIGHT;
    cmd_interrupted |= reads > 0 && reads == last_read;
}

/* A state is read once, whoever wants it: frames, a judge, a file, the line. */
TEST(states_are_read_once)
{
    static const struct {
        const char *words;
        int reads;
    } runs[] = {{"", 1},
                {" -o s.npy", 1},
                {" --every 2 --frames there -o s.npy", 3},
                {" --check same.c -o s.npy", 3},
                {" --every 2 --frames there --check same.c", 5}};
    need_gl();
    write_file("same.frag", "float kernel(vec2 here) { return x_at(0, 0); }\n");
    write_file("same.c",
               "void reference(int width, int height, const float *const *input,\n"
               "    const double *numbers, const double *before, double *after)\n"
               "{ for (int i = 0; i < width * height; i++)\n    after[i] = before[i]; }\n");
    for (int k = 0; k < COUNT(runs); k++) {
        char line[128];
        snprintf(line, sizeof line, "run same.frag --size %dx%d --steps 4%s", WIDTH, HEIGHT,
                 runs[k].words);
        reads = 0;
        assert_non_null(strstr(fake_command(command_run, line), "= 0\n"));
        if (reads != runs[k].reads)
            fail_msg("%s: %d reads", line, reads);
    }
}

/* Ctrl-C during the look for the step where numbers blew up: the run is finished, and the look says
 * why it ended. */
TEST(looks_back_are_interrupted)
{
    static const char whole[] = "95 of 95 values are NaN or infinite, the first after step 64 at ",
                      ended[] = "95 of 95 values are NaN or infinite; the step where it began was "
                                "not looked for: interrupted\n";
    need_gl();
    write_file("grow.frag", "float kernel(vec2 here) { return 4.0 * x_at(0, 0); }\n");
    for (last_read = 0; last_read < 4; last_read++) {
        reads = 0;
        const char *text = fake_command(
            command_run, "run grow.frag --input x=ones --size 19x5 --steps 100 -o grown.npy");
        assert_non_null(strstr(text, last_read == 0 ? whole : ended));
        assert_non_null(strstr(text, "= 0\n"));
        assert_int_equal(unlink("grown.npy"), 0);
        assert_true(last_read == 0 ? reads > 4 : reads == last_read);
    }
    last_read = 0;
}

GROUP(go_to_folder, remove_folder)
