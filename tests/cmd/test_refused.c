/* SPDX-License-Identifier: MIT */
/* Sentences of the command that no other test has: refusals that people meet, to the word, and
 * advice at the end of a solve. */
#include "support/shell.h"

#include <unistd.h>

#define SHADER(name) QP_SOURCE_DIR "/demos/shaders/" name

TEST(options_are_refused)
{
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"bench --repeats 1000", "--repeats is 100 at most, not 1000"},
        {"info --prove --csv x.csv",
         "--csv of info is one row, of the device: --prove and --precision go with --json"},
        {"info --json j.json --precision --csv x.csv", "--precision go with --json"},
        {"accuracy poisson5/openmp --weight 0.9",
         "--weight does not go with these variants: their methods choose steps and weights"},
        {"accuracy poisson5/openmp --iterations 9", "--iterations does not go with these variants"},
        {"check --require gl,tpu,npu", "--require takes gl, cuda and blas, not 'tpu'"},
        {"draw frames reduce/loop -o p.svg", "reduce/loop does not step from an x to the solution"
                                             " for a b; draw a variant such as poisson5/luminance"},
        {"run " SHADER("heat.frag") " --size 20000x20000",
         "20000 x 20000 cells of 1 value are more than the 2^28 values of a run"},
    };
    for (int k = 0; k < COUNT(cases); k++)
        assert_refused(cases[k].arguments, cases[k].words);
    expect("QUADPASS_REQUIRE=gl,tpu quadpass list", 2,
           "QUADPASS_REQUIRE takes gl, cuda and blas, not 'tpu'");
}

TEST(methods_and_rows_are_refused)
{
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"solve " GR " --method jacobi --precondition jacobi",
         "a preconditioner goes with the methods cg, minres, bicgstab and chebyshev, and not with "
         "jacobi; leave it out"},
        {"solve " GR " --variant spmv/csr_sorted",
         "spmv/csr_sorted: iterations multiply by spmv/diagonals_printed, "
         "spmv/sliced_ell_sorted"},
        {"solve big.mtx --method jacobi --variant jacobi9/openmp",
         "row 1 has 1e-09 on the diagonal, and row 2, column 2 holds 1e+38: the range inside the "
         "matrix is too wide for the float that Jacobi computes in; elimination scales rows"},
        {"solve steep.mtx --variant jacobi9/openmp --weight 1e-3",
         "beside a diagonal of 9e+29; take a larger --weight"},
        {"solve poisson5 -n 15 --variant jacobi9/openmp",
         "jacobi9/openmp: is a variant of jacobi9; Poisson's equation takes those of poisson5"},
        {"solve poisson5 -n 15 --variant poisson5/openmp_red_black --method chebyshev",
         "chebyshev updates all cells at once, and poisson5/openmp_red_black updates red cells and "
         "then black ones; take"},
        {"solve poisson5 -n 15 --variant poisson5/openmp --method sor", ", or leave one out"},
        {"solve poisson5 -n 15 --variant poisson5/chaotic",
         "poisson5/chaotic updates cells in no order, and no method is known for that"},
    };
    need_gl();
    write_file("big.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1e-9\n"
                          "2 2 1e38\n");
    write_file("steep.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n"
                            "2 2 9e29\n");
    for (int k = 0; k < COUNT(cases); k++)
        assert_refused(cases[k].arguments, cases[k].words);
}

TEST(files_are_refused)
{
    write_file("text.png", "hello\n");
    write_file("empty.png", "");
    assert_refused("run " SHADER("sobel.frag") " --input x=text.png",
                   "text.png: byte 0: this is no PNG (save the picture as one)");
    assert_refused("run " SHADER("sobel.frag") " --input x=empty.png",
                   "empty, or no file, and a picture is read from one (give a PNG file)");
    expect(
        "{ printf '\\211PNG\\r\\n\\032\\n\\0\\0\\0\\15IHDR\\0\\0\\0\\4\\0\\0\\0\\4\\10\\0\\0\\0\\0"
        "xxxx'; } >broken.png; quadpass run " SHADER("sobel.frag") " --input x=broken.png",
        2, "CRC error (save the picture anew, as PNG)");
    write_file("nothing.frag",
               "//@ input x=ones\nfloat kernel(vec2 here)\n{\n    float a = 1.0;\n}\n");
    write_file("void.mtx", "");
    assert_refused(
        "run nothing.frag --backend cpu",
        "nothing.frag:2: no program is generated with 'kernel': it returns no value; end "
        "it with 'return VALUE;'");
    assert_refused("run .", ". is a folder; name a shader in it");
    assert_refused("run nothing.frag --picture p.npy",
                   "pictures are written as PNG; name it p.png");
    assert_refused("solve void.mtx", "void.mtx:1: the file is empty (write '%%MatrixMarket");
    assert_refused("solve poison5 --size 8",
                   "there is no file 'poison5'; did you mean 'poisson5'?");
    assert_refused(
        "check heat.txt",
        "no variant matches 'heat.txt' (the name of a kernel file ends in .frag); 'quad");
    assert_refused("draw layout heat.frag -o x.svg",
                   "(a kernel file goes with run, check, bench, ");
    assert_refused("walk 'jacobi9/*'", "(give one variant, and no pattern)");
    assert_refused("-h", "there is no option '-h' before a command; 'quadpass --help' lists them");
    expect("CC=/no/cc quadpass run " SHADER("heat.frag") " --check", 2,
           "--check compiles the reference by the system's compiler, but '/no/cc' cannot be run: "
           "No such file or directory; install a C compiler, or name it by CC");
}

/* Advice that a solve gives with its ending. */
TEST(endings_advise)
{
    static const char more[] = "; allow more of them (--max-iterations) or a larger --tolerance";
    expect("quadpass solve " GR " --method jacobi --variant jacobi9/openmp --max-iterations 3", 1,
           more);
    assert_int_equal(count(", or leave --variant out, for elimination may be quicker"), 1);
    need_gl();
    expect("quadpass solve " GR " --method jacobi --max-iterations 3", 1, more);
    assert_int_equal(count("--variant"), 0);
    expect("quadpass solve " GR " --method cg --max-iterations 3", 1, more);
}

static int go_to_folder(void **state)
{
    return make_folder(state) != 0 || chdir(folder) != 0;
}

GROUP(go_to_folder, remove_folder)
