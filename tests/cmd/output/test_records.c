/* SPDX-License-Identifier: MIT */
/* Records and pictures, as the command writes them to files and terminals. */
#include "support/support.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <png.h>

#include "tools/cmd/output/picture.h"
#include "tools/cmd/output/records.h"

static const char path[] = QP_BUILD_DIR "/tests/part", nowhere[] = QP_BUILD_DIR "/tests/none/x";

/* The file, until the next call. */
static const char *slurp(void)
{
    static char text[8192];
    int file = open(path, O_RDONLY);
    ssize_t length = read(file, text, sizeof text - 1);
    assert_true(length >= 0 && close(file) == 0);
    text[length] = '\0';
    return text;
}

static void expect_match(const char *text, const char *pattern)
{
    if (fnmatch(pattern, text, 0) != 0)
        fail_msg("%s\nis not like\n%s", text, pattern);
}

/* Makes `descriptor` lead where `file` did, or to the file anew; the answer leads where it led. */
static int divert(int descriptor, int file)
{
    int kept = dup(descriptor);
    file = file >= 0 ? file : open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    fflush(stdout);
    dup2(file, descriptor);
    close(file);
    return kept;
}

static const struct qp_variant drawn = {
    .name = "test/drawn", .backend = QP_GL, .needs = QP_CAN_RGBA32F | QP_CAN_FLOAT_BLEND};
static const struct records_head head = {.device = "lamp", .command = "bench -n 9 \"a,b\""};
/* clang-format off */
static const struct qp_record records[] = {
    {.variant = &(const struct qp_variant){.name = "test/looped", .backend = QP_CPU}, .verdict = QP_PASS},
    {.variant = &drawn, .width = 300, .height = 200, .systems = 2, .iterations = 70, .seconds = 0.1,
     .seconds_min = 0.05, .upload_seconds = 1e-300, .readback_seconds = NAN, .glups = 84.0,
     .gbytes_per_s = 6.5e-5, .gflops = INFINITY, .cost = {80.0, 19.5, .paper_bytes = 16.0}, .error = 3e-8, .tolerance = 1e-6,
     .verdict = QP_FAIL, .reason = "cell 3, 4:\nwants \"1\"", .group_x = 64, .group_y = 2,
     .style = {.pingpong = QP_COPY, .target = QP_2D}, .error_rms = 1e-9, .problem = "heart",
     .updates = 6.0, .block = 16, .occupancy = 0.75, .vertices = 960.0, .threads = 12,
     .parts = {.count = 3, .depth = 8, .split = 21, .devices = 2, .borders = QP_BORDERS_PEERS},
     .sample_count = 3, .samples = {0.1, 0.05, 0.125}, .spread = 0.375, .cell = {70, 9, 64, 8}, .clock_mhz = 0.5,
     .throttled = 1 << 1 | 1 << 5, .judged_steps = 70, .judged_cells = 512.0}};
/* clang-format on */

enum { JSON, CSV, PICTURE, PARTS };
static enum qp_status write_part(int part, const char *to)
{
    static const double grid[] = {0.0, 1.0, 2.0, /* the bottom row */ 3.0, 4.0, NAN};
    return part == JSON  ? records_write(to, NULL, &head, records, 2)
           : part == CSV ? records_write(NULL, to, &head, records, 2)
                         : picture_write(to, 3, 2, grid, NULL, NULL);
}

TEST(test_json)
{
    assert_ok(write_part(JSON, path));
    cJSON *tree = cJSON_Parse(slurp());
    char *text = cJSON_PrintUnformatted(tree);
    for (char *c = text; *c != '\0'; c++)
        *c = *c == '"' ? '\'' : *c;
    expect_match(
        text,
        "{'quadpass':'" QP_VERSION "','device':'lamp','driver':null,'cpu':'* threads',"
        "'commit':'?*','command':'bench -n 9 \\\\'a,b\\\\'','date':'20*-*-*T*:*:*Z','records':\\["
        "{'variant':'test/looped','backend':'cpu','needs':\\[],'width':0,*'reason':'',"
        "'group':null,'pingpong':null,'target':null,'error_rms':0,'problem':'','block':null,'"
        "occupancy':null,'vertices':null,'parameter':null,'parts':null,'depth':null,'split':null,"
        "'alpha':null,'devices':null,'borders':null,'paper_bytes_per_update':null,'cell':null,"
        "'threads':null,'samples':\\[],'spread':null,'clock_mhz':null,'throttled':null,'"
        "judged':null},"
        "{'variant':'test/drawn','backend':'gl','needs':\\['gl','render to RGBA32F','float blend'],"
        "'width':300,'height':200,'systems':2,'iterations':70,'seconds':0.1,'seconds_min':0.05,"
        "'upload_seconds':1e-300,'readback_seconds':null,'glups':84,'gbytes_per_s':6.5e-05,"
        "'gflops':null,'bytes_per_update':80,'flops_per_update':19.5,'error':3e-08,"
        "'tolerance':1e-06,'verdict':'fail','reason':'cell 3, 4:\\\\nwants \\\\'1\\\\'',"
        "'group':'64x2','pingpong':'copy','target':'2d','error_rms':1e-09,'problem':'heart','block'"
        ":16,'occupancy':0.75,'vertices':960,'parameter':null,'parts':3,'depth':8,'split':21,"
        "'alpha':null,'devices':2,'borders':'peers','paper_bytes_per_update':16,'cell':'(70, 9), "
        "in its block of 64 x 8 at (6, 1)',"
        "'threads':12,'samples':\\[0.1,0.05,0.125],'spread':0.375,'clock_mhz':0.5,"
        "'throttled':\\['power cap','hardware thermal'],'judged':{'steps':70,'cells':512}}]}");
    cJSON_free(text);
    cJSON_Delete(tree);
}

/* A line for each member of the head, and for each record. */
TEST(test_a_record_is_a_line)
{
    assert_ok(write_part(JSON, path));
    expect_match(
        slurp(),
        "{\n\t\"quadpass\": \"" QP_VERSION "\",\n\t\"device\": \"lamp\",\n\t\"driver\": null,\n"
        "\t\"cpu\": *,\n\t\"date\": \"*\",\n\t\"records\": \\[\n"
        "\t\t{\"variant\":\"test/looped\",*,\"judged\":null},\n"
        "\t\t{\"variant\":\"test/drawn\",*\"judged\":{\"steps\":70,\"cells\":512}}\n\t]\n}\n");
    int lines = 0;
    for (const char *c = slurp(); *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 1 + 7 + 1 + 2 + 2);
    assert_ok(records_write(path, NULL, &head, records, 0));
    expect_match(slurp(), "{\n*,\n\t\"records\": \\[]\n}\n");
    cJSON *rows = cJSON_CreateArray(), *row = cJSON_CreateObject();
    assert_true(records_add(row, "a", records_number(1.5)) && records_append(rows, row));
    assert_ok(records_write_rows(path, NULL, NULL, NULL, rows));
    assert_string_equal(slurp(), "[\n\t{\"a\":1.5}\n]\n");
}

TEST(test_csv_on_standard_output)
{
    int kept = divert(STDOUT_FILENO, -1);
    enum qp_status status = write_part(CSV, "-");
    close(divert(STDOUT_FILENO, kept));
    assert_ok(status);
    expect_match(
        slurp(),
        "variant,backend,needs,width,height,systems,iterations,seconds,seconds_min,"
        "upload_seconds,readback_seconds,glups,gbytes_per_s,gflops,bytes_per_update,"
        "flops_per_update,error,tolerance,verdict,reason,group,pingpong,target,"
        "error_rms,problem,block,occupancy,vertices,parameter,parts,depth,split,alpha,devices,"
        "borders,paper_bytes_per_update,cell,threads,samples,spread,clock_mhz,throttled,judged,"
        "quadpass,device,driver,cpu,"
        "commit,command,date\n"
        "test/looped,cpu,,0,*,pass,,,,,0,,,,,,,,,,,,,,,,,,,," QP_VERSION
        ",lamp,,*,\"bench -n 9 \"\"a,b\"\"\",*Z\n"
        "test/drawn,gl,gl+render to RGBA32F+float blend,300,200,2,70,0.1,0.05,1e-300,,84,"
        "6.5e-05,,80,19.5,3e-08,1e-06,fail,\"cell 3, 4:\nwants \"\"1\"\"\",64x2,copy,2d,1e-09,"
        "heart,16,0.75,960,,3,8,21,,2,peers,16,\"(70, 9), in its block of 64 x 8 at (6, "
        "1)\",12,0.1+0.05+0.125,0.375,0.5,power cap+hardware "
        "thermal,70+512,*Z\n");
}

static int allowance; /* allocations left to cJSON */
static bool again;    /* more allocations after one that fails */
static void *allocate(size_t size)
{
    const int left = allowance--;
    return left > 0 || (again && left < 0) ? malloc(size) : NULL;
}

/* Every way out for want of memory; LeakSanitizer names what is lost on the way. */
TEST(test_without_memory)
{
    cJSON_InitHooks(&(cJSON_Hooks){allocate, free});
    for (int run = 0, enough = 0; run < 4; run++, enough = 0) {
        const int part = run % 2 == 0 ? JSON : CSV;
        again = run >= 2;
        for (unlink(path); allowance = enough, write_part(part, path) != QP_OK; enough++) {
            support_assert_sentence("no memory for the records");
            assert_int_equal(access(path, F_OK), -1);
        }
        assert_true(enough > 40);
        assert_non_null(strstr(slurp(), QP_VERSION)); /* the head is there, too */
    }
    cJSON_InitHooks(NULL);
}

enum { VIOLET = 0x440154, HALF_WAY = 0x21908d, YELLOW = 0xfde725, MAGENTA = 0xff00ff };
static png_byte pixels[3000 * 256][3];

enum { BAR = 17 /* lines of the bar below, in its units of two pixels and more */ };

static void read_picture(unsigned width, unsigned height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_true(image.width == width && image.height == height);
    image.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
}

static void expect_colour(const png_byte *rgb, int colour)
{
    assert_int_equal(rgb[0] << 16 | rgb[1] << 8 | rgb[2], colour);
}

TEST(test_picture)
{
    enum { CELL = 86, WIDTH = 3 * CELL, HEIGHT = 2 * CELL }; /* 3 * 85 would be one too few */
    assert_ok(write_part(PICTURE, path));
    read_picture(WIDTH, HEIGHT + 2 * BAR);
    expect_colour(pixels[WIDTH * (HEIGHT - 1)], VIOLET);
    expect_colour(pixels[WIDTH * CELL + CELL - 1], VIOLET);
    expect_colour(pixels[WIDTH * CELL + 2 * CELL], HALF_WAY);
    expect_colour(pixels[CELL], YELLOW);
    expect_colour(pixels[WIDTH * CELL - 1], MAGENTA);
    assert_non_null(memmem(slurp(), 512, "Scale\0000 violet to 4 yellow", 26));
}

/* No scale at all; and the longest, of which every third cell each way is shown. */
TEST(test_picture_extremes)
{
    static double values[4][9000];
    double low, high, none = -INFINITY;
    assert_ok(picture_write(path, 1, 1, values[0], NULL, NULL));
    read_picture(256, 256 + 2 * BAR);
    expect_colour(pixels[0], HALF_WAY);
    assert_ok(picture_write(path, 1, 1, &none, &low, &high));
    assert_true(isnan(low) && isnan(high));
    values[0][3] = -1.7e308;
    values[3][8997] = 1.7e308;
    assert_ok(picture_write(path, 9000, 4, values[0], &low, &high));
    assert_true(low == -1.7e308 && high == 1.7e308);
    read_picture(3000, 2 + 11 * BAR);
    expect_colour(pixels[2999], YELLOW);
    expect_colour(pixels[3001], VIOLET);
    expect_colour(pixels[5999], HALF_WAY);
}

/* The bar of a picture 256 pixels wide, or in the middle a little more, and its digits, a letter
 * for each unit of two pixels: violet, half-way, yellow, magenta, ink. */
static void read_bar(int lines, int width, char bar[17][129])
{
    static const struct {
        int colour;
        char letter;
    } known[] = {{0xffffff, ' '}, {0, '#'},      {VIOLET, 'v'},
                 {HALF_WAY, 'h'}, {YELLOW, 'y'}, {MAGENTA, 'm'}};
    for (int y = 0; y < 17; y++) {
        for (int x = 0; x < 128; x++) {
            const png_byte *rgb =
                pixels[width * (lines + 2 * y + 1) + (x < 64 ? 2 * x : width - 256 + 2 * x + 1)];
            bar[y][x] = '.';
            for (int k = 0; k < COUNT(known); k++) {
                if ((rgb[0] << 16 | rgb[1] << 8 | rgb[2]) == known[k].colour)
                    bar[y][x] = known[k].letter;
            }
        }
        bar[y][128] = '\0';
    }
}

/* Writes a picture of two values and infinity, and compares the ends of its bar's digits. */
static void expect_digits(double low, double high, const char *const left[5],
                          const char *const right[5])
{
    char bar[17][129];
    assert_ok(picture_write(path, 3, 1, (double[]){low, INFINITY, high}, NULL, NULL));
    read_picture(258, 86 + 2 * BAR);
    read_bar(86, 258, bar);
    for (int y = 0; y < 17; y++) {
        const char *digits = y >= 10 && y < 15 ? left[y - 10] : "";
        if (y >= 2 && y < 8) {
            assert_true(bar[y][0] == 'v' && bar[y][127] == 'y');
            assert_null(strpbrk(bar[y], " #m"));
            continue;
        }
        assert_memory_equal(bar[y], digits, strlen(digits));
        digits = y >= 10 && y < 15 ? right[y - 10] : "";
        assert_memory_equal(bar[y] + 128 - strlen(digits), digits, strlen(digits));
        assert_true(strspn(bar[y] + 40, " ") >= 88 - strlen(digits));
    }
}

/* Both ends of the scale stand at the ends of the bar; without a finite value it has none. */
TEST(test_bar)
{
    static const char *const
        some[2][5] = {{"    ###     ###  ", "      #     #    ", "### ###     ###  ",
                       "    #         #  ", "    ###  #  ###  "},
                      {"  # # ###     ### ###", "  # # # #  #  # # #  ", "  ### ### ### # # ###",
                       "    # #    #  # # # #", "    # ###     ### ###"}},
        *const others[2][5] = {
            {" #  ###     ### ###  ", "##    #       # # #  ", " #  ###      #  ###  ",
             " #    #      #    #  ", "### ###  #   #  ###  "},
            {"   #  ### ###", "  ##  # # # #", "   #  ### # #", "   #  # # # #", "  ### ### ###"}};
    char bar[17][129];
    double none = NAN;
    expect_digits(-2.5, 4e6, some[0], some[1]);
    expect_digits(13.79, 180.0, others[0], others[1]);
    assert_ok(picture_write(path, 1, 1, &none, NULL, NULL));
    read_picture(256, 256 + 2 * BAR);
    read_bar(256, 256, bar);
    assert_int_equal(strspn(bar[2], "m"), 128);
    assert_int_equal(strspn(bar[12], " "), 128);
}

/* A disk with room for 100 bytes. */
static void write_too_much(int part)
{
    struct rlimit kept;
    getrlimit(RLIMIT_FSIZE, &kept);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, kept.rlim_max});
    enum qp_status status = write_part(part, path);
    setrlimit(RLIMIT_FSIZE, &kept);
    assert_int_equal(status, QP_BAD_INPUT);
    support_assert_sentence("/part: cannot be written: File too large");
}

TEST(test_scale)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    picture_tell_scale(out, "a b.png", NAN, NAN);
    picture_tell_scale(out, "u.png", -1.5, 2e-7);
    fclose(out);
    assert_string_equal(text, "a b.png: all magenta, for no value is finite\n"
                              "u.png: from -1.5, violet, by green to 2e-07, yellow\n");
    free(text);
}

static size_t size_of(const char *name)
{
    struct stat file;
    assert_int_equal(stat(name, &file), 0);
    return (size_t)file.st_size;
}

/* Files that cannot be written, or not whole, give a sentence, and the old file stays. */
TEST(test_refused)
{
    signal(SIGXFSZ, SIG_IGN);
    for (int part = 0; part < PARTS; part++) {
        assert_int_equal(write_part(part, nowhere), QP_BAD_INPUT);
        support_assert_sentence("/none/x: cannot be written: No such file or directory");
        assert_int_equal(write_part(part, "/dev/full"), QP_BAD_INPUT);
        support_assert_sentence("/dev/full: cannot be written: No space left on device");
        assert_true(access("/dev/full", F_OK) == 0);
        unlink(path);
        write_too_much(part);
        assert_true(access(path, F_OK) != 0);
        assert_ok(write_part(part, path));
        size_t before = size_of(path);
        write_too_much(part);
        assert_int_equal(size_of(path), before);
    }
}
