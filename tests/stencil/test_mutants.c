/* SPDX-License-Identifier: MIT */
/* Mutants of a stencil's description: generated programs with a neighbour, a weight, an outside or
 * the end of a strip that is wrong. The program's own `make check` must find each. */
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name, *text;
} kernels[] = {
    {"heat",
     "//@ outside clamp\n//@ set rate=0.2\nfloat kernel(vec2 here)\n{\n"
     "    float old = x_at(0.0, 0.0);\n"
     "    float around = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0);\n"
     "    return old + rate * (around - 4.0 * old);\n}\n"},
    {"life", "//@ outside wrap\nfloat alive(float dx, float dy)\n{\n    return step(0.5, x_at(dx, "
             "dy));\n}\n\n"
             "float kernel(vec2 here)\n{\n    float n = -alive(0.0, 0.0);\n"
             "    for (int j = -1; j <= 1; j++)\n        for (int i = -1; i <= 1; i++)\n"
             "            n += alive(float(i), float(j));\n"
             "    return n == 3.0 || n + alive(0.0, 0.0) == 3.0 ? 1.0 : 0.0;\n}\n"},
    {"two", "//@ state u v\n//@ outside u=0.75\n//@ outside v=0.25\n//@ outside f=0.5\n//@ input "
            "f=gradient\n"
            "void kernel(vec2 here)\n{\n"
            "    float u = u_at(0.0, 0.0), v = v_at(0.0, 0.0), r = u * v * v;\n"
            "    out0 = 0.5 * u + 0.125 * (u_at(-1.0, 0.0) + u_at(0.0, 1.0)) - r + 0.1 * f_at(0.0, "
            "-1.0);\n"
            "    out1 = 0.5 * v + 0.125 * (v_at(1.0, 0.0) + v_at(0.0, -1.0)) + r;\n}\n"},
    {"box", "//@ outside clamp\nfloat kernel(vec2 here)\n{\n    float s = 0.3 * x_at(0.0, 2.0) + "
            "0.1 * x_at(2.0, -1.0);\n"
            "    for (int j = -2; j <= 2; j++)\n        for (int i = -2; i <= 2; i++)\n"
            "            s += x_at(float(i), float(j)) * 0.02;\n    return s;\n}\n"},
    {"vectors", "//@ outside clamp\nvoid turn(inout vec2 v, out float s)\n{\n    v.yx = v * "
                "0.75;\n    s = length(v);\n}\n\n"
                "float kernel(vec2 here)\n{\n    vec2 g = vec2(x_at(1.0, 0.0), x_at(0.0, 1.0) - "
                "x_at(0.0, -1.0));\n"
                "    float s;\n    turn(g, s);\n    return 0.5 * dot(g, vec2(s, 0.25)) + 0.1 * "
                "x_at(0.0, 0.0);\n}\n"},
    {"mean", "//@ outside 0.5\nfloat kernel(vec2 here)\n{\n    return 0.25 * (x_at(-1.0, 0.0) + "
             "x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0));\n}\n"},
};

/* A target, the files that have its machine and the body, and what it needs: with LONG=1 alone, as
 * compilers take their time. */
static const struct machine {
    const char *target, *files, *needs;
} machines[] = {
    {"c", "steps.c", NULL},
    {"gl", "steps.c machine.c kernel.glsl", "true"},
    {"compute", "steps.c machine.c kernel.glsl", "true"},
    {"cuda", "steps.cu cell.cuh one_step.cuh many_steps.cuh", "nvcc --version && nvidia-smi -L"},
    {"gpus", "devices.c parts.c steps.cu cell.cuh", "nvcc --version && nvidia-smi -L"},
    {"mpi", "mpi.c parts.c steps.c", "mpirun --version"}};

/* Edits by sed. Those of a body are for every target. */
static const struct {
    const char *target, *kernel, *wrong, *edit;
} mutants[] = {
    {NULL, "heat", "a neighbour shifted", "s/x_at(-1.0f*, 0.0f*)/x_at(-1.0, 1.0)/"},
    {NULL, "heat", "a weight", "s/4.0f* [*] old/4.001 * old/"},
    {NULL, "life", "a neighbour shifted", "s/i <= 1; i++/i <= 0; i++/"},
    {NULL, "two", "weights swapped", "s/ 0.5f* [*] u + 0.125f*/ 0.125 * u + 0.5/"},
    {NULL, "two", "states swapped", "s/v_at(1.0f*, 0.0f*)/u_at(1.0, 0.0)/"},
    {NULL, "two", "an input shifted", "s/f_at(0.0f*, -1.0f*)/f_at(0.0, 0.0)/"},
    {NULL, "box", "weights swapped", "s/ 0.3f* [*] x_at\\(.*\\) 0.1f* [*]/ 0.1 * x_at\\1 0.3 */"},
    {NULL, "box", "a neighbour shifted", "s/2.0f*, -1.0f*)/2.0, -2.0)/"},
    {NULL, "vectors", "nothing handed out", "s/inout vec2 v/vec2 v/; s/vec2 &v/vec2 v/"},
    {NULL, "vectors", "members swapped", "s/vec2(s, \\(0.25f*\\))/vec2(\\1, s)/"},
    {"c", "heat", "clamp of columns once a launch",
     "s/^\\( *\\)pad(m, i % STATES, out/\\1if (step == strip->steps) &/"},
    {"c", "life", "wrap of columns once a launch",
     "s/^\\( *\\)pad(m, i % STATES, out/\\1if (step == strip->steps) &/"},
    {"c", "two", "values beside columns once a launch",
     "s/^\\( *\\)pad(m, i % STATES, out/\\1if (step == strip->steps) &/"},
    {"c", "box", "clamp of rows once a launch",
     "s/dy < 0 ? first : last/step > 0 ? y : dy < 0 ? first : last/"},
    {"c", "two", "values beside rows once a launch",
     "s/return strip->m->beyond.array. + MARGIN/return step > 0 ? kept_row(strip, array, step, y) "
     ": strip->m->beyond[array] + MARGIN/"},
    {"c", "life", "wrap of rows once a launch",
     "s/= wraps || \\([fe]\\)/= (wraps \\&\\& strip->steps < 2) || \\1/"},
    {"c", "heat", "clamp at the other end", "s/dy < 0 ? first : last/dy < 0 ? last : first/"},
    {"c", "box", "zero in place of clamp", "s/: row.before./: (real)0/"},
    {"c", "two", "another value outside", "s/(real)arrays.k..beyond/(real)arrays[0].beyond/"},
    {"c", "life", "a column off where it wraps",
     "s/wrapped(-i, m->width)/wrapped(1 - i, m->width)/"},
    {"c", "life", "clamp in place of wrap of rows",
     "s/wrapped(y - m->part.low, m->height)/y < 0 ? 0 : y < m->height ? y : m->height - 1/"},
    {"c", "heat", "strips that begin a row late",
     "s/halo = (strip->steps - 1) [*] REACH/halo = (strip->steps - 1) * REACH - 1/"},
    {"c", "box", "strips that end a row early",
     "s/? end + more : height/? end + more - (more > 0) : height/"},
    {"c", "box", "steps too near to each other", "s/row - (step - 1) [*] REACH/row - (step - 1)/"},
    {"c", "box", "tiles without what is beside them",
     "s/needed = (strip->steps - step)/needed = 0/"},
    {"c", "heat", "tiles without what is beside them",
     "s/needed = (strip->steps - step)/needed = 0/"},
    {"c", "heat", "all rows at once as the first", "s/REACH + at->row + (int)dy/REACH + (int)dy/"},
    {"c", "mean", "rows at once that are left out", "s/y += count)/y += together)/"},
    {"c", "heat", "values that are none",
     "s/made.row..k. = cell.out.k./made[row][k] = x == 4003 ? 0.0f \\/ 0.0f : cell.out[k]/"},
    {"c", "heat", "a step too few", "s/strip = {m, steps,/strip = {m, steps > 1 ? steps - 1 : 1,/"},
    {"gl", "two", "textures in another order", "s/SHEET(r) % SHEETS/(& + 1) % SHEETS/"},
    {"gl", "heat", "a render target shifted",
     "s/qp_to.k [*] ROWS + r./qp_to[k * ROWS + (r + 1) % ROWS]/"},
    {"compute", "heat", "clamp once a launch", "s/edge \\&\\& left > 0/edge \\&\\& left > halo/"},
    {"compute", "two", "values outside once a launch",
     "s/edge \\&\\& left > 0/edge \\&\\& left > halo/"},
    {"compute", "heat", "clamp from a row on", "s/qp_corner.y < -r/qp_corner.y < -1 - r/"},
    {"compute", "box", "a value in place of clamp", "s/== VALUE ?/== CLAMP ?/"},
    {"compute", "life", "a column off where it wraps", "s/cell + 16 [*] qp_size/& + ivec2(1, 0)/"},
    {"compute", "two", "a row stored elsewhere",
     "s/ivec2(0, r), qp_whole/ivec2(0, r ^ 1), qp_whole/"},
    {"compute", "heat", "blocks that are left out",
     "s/draw(right, below, m->across/draw(right, below, right + 1/"},
    {"cuda", "heat", "clamp once a launch", "s/^\\( *\\)tend<0>(rows/\\1if (s == 1) &/"},
    {"cuda", "two", "values outside once a launch", "s/^\\( *\\)tend<0>(rows/\\1if (s == 1) &/"},
    {"cuda", "box", "clamp from a row on", "s/row - j >= 0 ?/row - j >= 1 ?/"},
    {"cuda", "box", "a value in place of clamp", "s/outside == CLAMP,/outside == VALUE,/"},
    {"cuda", "two", "another value outside",
     "s/(real)borders.ARRAY.* [*] scale/(real)borders[0].value * scale/"},
    {"cuda", "life", "clamp in place of wrap",
     "s/wraps ? place_of(&t, row)/wraps ? min(max(row, 0), t.height - 1) * t.pitch/"},
    {"cuda", "life", "a column off where it wraps",
     "s/wrapped(s.column + v, t.width)/wrapped(s.column + v + 1, t.width)/"},
    {"cuda", "heat", "a lane too far", "s/1 + i . V);/2 + i \\/ V);/"},
    {"cuda", "box", "no neighbours across", "s/>> j . 1/\\& 0/"},
    {"cuda", "heat", "a row too few", "s/last = end + K [*] REACH/& - 1/"},
    {"cuda", "box", "steps too near to each other",
     "s/row - s [*] REACH, scale/row - s * REACH + 1, scale/"},
    {"cuda", "heat", "columns computed in vain are stored",
     "s/place >= steps::HALO/place + 4 >= steps::HALO/"},
    {"cuda", "mean", "scaled once too often",
     "s/LAST = power(FACTOR, K)/LAST = power(FACTOR, K + 1)/"},
    {"cuda", "mean", "values outside that are not scaled",
     "s/borders.ARRAY..value [*] scale/borders[ARRAY].value/"},
    {"cuda", "vectors", "a step too few",
     "s/m->task, steps, threads/m->task, steps \\/ 2 + 1, threads/"},
    {"gpus", "heat", "no exchange", "s/exchanges = m->left < steps . REACH/exchanges = false/"},
    {"gpus", "two", "the first state's borders alone", "s/k < STATES; k++) { *$/k < 1; k++) {/"},
    {"gpus", "life", "a border row off",
     "s/(source - owner->task.low)/(source - (source > owner->part.begin) - owner->task.low)/"},
    {"gpus", "box", "borders at another place",
     "s/(row - m->task.low)/(row - m->task.low - (row > m->part.begin))/"},
    {"gpus", "heat", "rows beyond a part left out",
     "s/high = m->part.end + beyond/high = m->part.end/"},
    {"mpi", "heat", "no exchange", "s/if (m->left < steps . REACH)/if (false)/"},
    {"mpi", "heat", "an exchange a go late", "s/m->left < steps . REACH/m->left < 0/"},
    {"mpi", "two", "states swapped on their way",
     "s/processor.put(m->own, k, b.row/processor.put(m->own, STATES - 1 - k, b.row/"},
    {"mpi", "two", "an input without its borders", "s/array < STATES ?/true ?/"},
    {"mpi", "life", "a border row off",
     "s/b.source, b.count, out/b.source + 1 - b.count % 2, b.count, out/"},
    {"mpi", "life", "borders at another place",
     "s/put(m->own, k, b.row,/put(m->own, k, b.row - (b.row > 0),/"},
    {"mpi", "box", "the last row of a part that is not sent",
     "s/MPI_Isend(out, b.count,/MPI_Isend(out, b.count > 1 ? b.count - 1 : 1,/"},
    {"mpi", "box", "rows beyond a part left out",
     "s/kept > 0 ? m->left : 0/kept > 0 ? m->left - REACH : 0/"},
};

static int make_kernels(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0)
        return -1;
    setenv("RANKS", "3", 1); /* ranks of programs over MPI */
    setenv("MPIFLAGS", "--oversubscribe --bind-to none --mca mpi_yield_when_idle 1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    for (int k = 0; k < COUNT(kernels); k++) {
        char name[64];
        snprintf(name, sizeof name, "%s.frag", kernels[k].name);
        write_file(name, kernels[k].text);
    }
    return 0;
}

/* Drivers take long to compile fragments, whose bodies are those of compute shaders. */
static bool is_for(int mutant, const char *target)
{
    return mutants[mutant].target == NULL ? strcmp(target, "gl") != 0
                                          : strcmp(mutants[mutant].target, target) == 0;
}

/* Programs of all kernels, which pass their check. */
static void make_programs(const char *target)
{
    char command[512];
    snprintf(
        command, sizeof command,
        "for k in heat life two box vectors mean; do quadpass generate $k.frag --target %s -o "
        "$k || exit 3; done; "
        "ls -d */%s | xargs -P $(nproc) -I @ make -s -C @ CFLAGS='-O0 -w' check && echo passed",
        target, target);
    expect(command, 0, "passed");
}

/* Each in a folder of its own, with the objects that the edit leaves as they are. Prints its number
 * and how the check ended. */
static void mutants_fail(const struct machine *machine)
{
    const char *target = machine->target;
    int made = 0;
    if (machine->needs != NULL && (!support_takes_long() || shell(machine->needs) != 0)) {
        print_message("SKIP: mutants for %s with LONG=1, where its compiler and device are\n",
                      target);
        skip();
    }
    make_programs(target);
    FILE *script = fopen("mutants", "w");
    assert_non_null(script);
    for (int m = 0; m < COUNT(mutants); m++) {
        made += is_for(m, target);
        if (is_for(m, target))
            fprintf(script,
                    "cp -rp %s/%s m%d; (cd m%d && sed -i '%s' %s); "
                    "diff -rq %s/%s m%d >d%d.txt && echo =%d=same=; "
                    "timeout 100 make -s -C m%d CFLAGS=\"-O0 -w\" check >m%d.txt 2>&1; "
                    "grep -q \"check.*Error 1\" m%d.txt && grep -q \" cells, .*error \" "
                    "m%d.txt && echo =%d=found=; rm -r m%d\n",
                    mutants[m].kernel, target, m, m, mutants[m].edit, machine->files,
                    mutants[m].kernel, target, m, m, m, m, m, m, m, m, m);
    }
    fclose(script);
    expect(
        "OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive xargs -P $(nproc) -d '\\n' -n 1 sh -c <mutants",
        0, "");
    for (int m = 0; m < COUNT(mutants); m++) {
        char found[32], same[32];
        snprintf(found, sizeof found, "=%d=found=", m);
        snprintf(same, sizeof same, "=%d=same=", m);
        if (is_for(m, target) && (strstr(output, found) == NULL || strstr(output, same) != NULL))
            print_error("%s, %s: %s %s\n", target, mutants[m].kernel, mutants[m].wrong,
                        strstr(output, same) != NULL ? "changes nothing" : "is not found");
    }
    assert_int_equal(count("=found="), made);
    assert_int_equal(count("=same="), 0);
}

TEST(c)
{
    mutants_fail(&machines[0]);
}

TEST(gl)
{
    mutants_fail(&machines[1]);
}

TEST(compute)
{
    mutants_fail(&machines[2]);
}

TEST(cuda)
{
    mutants_fail(&machines[3]);
}

TEST(gpus)
{
    mutants_fail(&machines[4]);
}

TEST(mpi)
{
    mutants_fail(&machines[5]);
}

GROUP(make_kernels, remove_folder)
