/* SPDX-License-Identifier: MIT */
/* Kernels of the methods. CG takes alpha = r'p / p'q, which makes the error least along p whatever
 * p is, and beta from the square of the next residual, alpha^2 q'q - r'r, so that one pass has all
 * sums of a step (Saad 1985; Meurant 1987); r'r itself is summed anew in each step. Preconditioned
 * it is q'v in place of q'q, with v = M q. BiCGSTAB's next rho is -omega r~'t, since alpha makes
 * r~'s zero; alpha takes the rho that is summed anew. Where t is at right angles to s, as always
 * with a skew-symmetric matrix, omega is 0.7 |s| / |t|: no residual is least then, but the
 * directions go on (Sleijpen, van der Vorst 1995). */
#include "solve/krylov/steps.h"

/* Adds up 8 x 8 texels; `term` is that of a texel `at`. */
#define SUM(term)                                                                  \
    "vec4 kernel(vec2 here)\n"                                                     \
    "{\n"                                                                          \
    "    vec2 from = 8.0 * here, to = min(from + 8.0, vec2(columns, rows)), at;\n" \
    "    vec4 sum = vec4(0.0);\n"                                                  \
    "    for (at.y = from.y; at.y < to.y; at.y += 1.0) {\n"                        \
    "        vec4 line = vec4(0.0);\n"                                             \
    "        for (at.x = from.x; at.x < to.x; at.x += 1.0)\n"                      \
    "            line += " term ";\n"                                              \
    "        sum += line;\n"                                                       \
    "    }\n"                                                                      \
    "    return sum;\n"                                                            \
    "}\n"

/* Scalars and state of a step from the sum of all that is left: `lines`. */
#define SCALARS(lines)                                                                    \
    "bool is_finite(float x) { return abs(x) < 1e37; }\n"                                 \
    "void kernel(vec2 here)\n"                                                            \
    "{\n"                                                                                 \
    "    vec4 sum = vec4(0.0), f = scalars_cell(vec2(0.0)), g = state_cell(vec2(0.0));\n" \
    "    for (float y = 0.0; y < s_size.y; y += 1.0) {\n"                                 \
    "        vec4 line = vec4(0.0);\n"                                                    \
    "        for (float x = 0.0; x < s_size.x; x += 1.0)\n"                               \
    "            line += s_cell(vec2(x, y));\n"                                           \
    "        sum += line;\n"                                                              \
    "    }\n" lines "    out0 = f;\n"                                                     \
    "    out1 = g;\n"                                                                     \
    "}\n"

/* Updates of x, r, p and others; after the end they stay. */
#define UPDATE(goes_on, same, lines)                                  \
    "void kernel(vec2 here)\n"                                        \
    "{\n"                                                             \
    "    vec4 f = scalars_cell(vec2(0.0)), p = p_at(0, 0);\n"         \
    "    out0 = x_at(0, 0);\n"                                        \
    "    out1 = r_at(0, 0);\n"                                        \
    "    out2 = p;\n" same "    if (" goes_on ") {\n" lines "    }\n" \
    "}\n"
#define STATE "state_cell(vec2(0.0)).g == 0.0"

/* 2^-46: where the square of x'y is that part of x'x y'y, it is rounding. */
#define ROUNDING "1.4210854715202004e-14"

const struct qp_krylov_kernel qp_krylov_kernels[KERNELS] = {
    [JOIN] = {"join", {"x"}, 1, SUM("x_cell(at)")},
    [FIRST_TERM] = {"first_term",
                    {"x", "r", "p", "q"},
                    3,
                    "void kernel(vec2 here)\n"
                    "{\n"
                    "    out0 = vec4(0.0);\n"
                    "    out1 = q_at(0, 0);\n"
                    "    out2 = c2 * out1;\n"
                    "}\n"},
    [NEXT_TERM] = {"next_term",
                   {"x", "r", "p", "q"},
                   3,
                   "void kernel(vec2 here)\n"
                   "{\n"
                   "    out0 = x_at(0, 0) + p_at(0, 0);\n"
                   "    out1 = r_at(0, 0) - q_at(0, 0);\n"
                   "    out2 = c1 * p_at(0, 0) + c2 * out1;\n"
                   "}\n"},
    [CG_SUMS] = {"cg_sums",
                 {"p", "q", "r", "v"},
                 1,
                 SUM("vec4(dot(p_cell(at), q_cell(at)), dot(q_cell(at), v_cell(at)),\n"
                     "                         dot(r_cell(at), p_cell(at)), dot(r_cell(at), "
                     "r_cell(at)))")},
    [CG_SCALARS] = {"cg_scalars",
                    {"s"},
                    2,
                    SCALARS("    if (g.g == 0.0) {\n"
                            "        g = vec4(sum.a, 0.0, g.b + 1.0, g.a);\n"
                            "        f.r = sum.b / sum.r;\n"
                            "        f.g = max(f.r * (sum.g / sum.r) - 1.0, 0.0);\n"
                            "        if (sum.a <= g.a)\n"
                            "            g.g = 1.0;\n"
                            "        else if (!is_finite(sum.a))\n"
                            "            g.g = 5.0;\n"
                            "        else if (!(sum.r > 0.0 && is_finite(f.r * (f.r * sum.g))))\n"
                            "            g.g = 2.0;\n"
                            "    }\n")},
    [CG_STEP] = {"cg_step",
                 {"x", "r", "p", "q"},
                 3,
                 UPDATE(STATE, "",
                        "        out0 += f.r * p;\n"
                        "        out1 -= f.r * q_at(0, 0);\n"
                        "        out2 = out1 + f.g * p;\n")},
    [CG_STEP_Z] = {"preconditioned_cg_step",
                   {"x", "r", "p", "z", "q", "v"},
                   4,
                   UPDATE(STATE, "    out3 = z_at(0, 0);\n",
                          "        out0 += f.r * p;\n"
                          "        out1 -= f.r * q_at(0, 0);\n"
                          "        out3 -= f.r * v_at(0, 0);\n"
                          "        out2 = out3 + f.g * p;\n")},
    [ALPHA_SUMS] = {"alpha_sums",
                    {"o", "v", "r"},
                    1,
                    SUM("vec4(dot(o_cell(at), v_cell(at)), dot(o_cell(at), r_cell(at)),\n"
                        "                         dot(r_cell(at), r_cell(at)), dot(v_cell(at), "
                        "v_cell(at)))")},
    [OMEGA_SUMS] = {"omega_sums",
                    {"o", "s", "t"},
                    1,
                    SUM("vec4(dot(t_cell(at), s_cell(at)), dot(t_cell(at), t_cell(at)),\n"
                        "                         dot(s_cell(at), s_cell(at)), dot(o_cell(at), "
                        "t_cell(at)))")},
    [ALPHA] = {"alpha",
               {"s"},
               2,
               SCALARS("    f.r = 0.0;\n"
                       "    if (g.g == 0.0 || g.g == 4.0) {\n"
                       "        g.r = sum.b;\n"
                       "        if (sum.b <= g.a)\n"
                       "            g.gb = vec2(1.0, g.b + 1.0);\n"
                       "    }\n"
                       "    if (g.g == 0.0) {\n"
                       "        g.b += 1.0;\n"
                       "        f = vec4(sum.g / sum.r, 0.0, 0.0, sum.g);\n"
                       "        if (!is_finite(sum.b))\n"
                       "            g.g = 5.0;\n"
                       "        else if (!(sum.g * (sum.g / sum.b) > " ROUNDING " &&\n"
                       "                   sum.r * (sum.r / sum.a) > " ROUNDING " &&\n"
                       "                   is_finite(f.r * (f.r * sum.a))))\n"
                       "            g.g = 3.0;\n"
                       "        f.r = g.g == 0.0 ? f.r : 0.0;\n"
                       "    }\n")},
    [OMEGA] = {"omega",
               {"s"},
               2,
               SCALARS("    if (g.g == 0.0) {\n"
                       "        f.gb = vec2(-sum.a * f.r / f.a, sum.r / sum.g);\n"
                       "        if (!(f.b * (sum.r / sum.b) > " ROUNDING "))\n"
                       "            f.b = 0.7 * sqrt(sum.b / sum.g);\n"
                       "        if (!(f.b > 0.0 || f.b < 0.0) ||\n"
                       "            !(is_finite(f.b * (f.b * sum.g)) && is_finite(f.g))) {\n"
                       "            f.gb = vec2(0.0);\n"
                       "            g.g = 4.0;\n"
                       "        }\n"
                       "    }\n")},
    [HALF_STEP] = {"half_step",
                   {"s", "r", "v"},
                   1,
                   "vec4 kernel(vec2 here)\n"
                   "{\n"
                   "    float alpha = scalars_cell(vec2(0.0)).r;\n"
                   "    return alpha != 0.0 ? r_at(0, 0) - alpha * v_at(0, 0) : r_at(0, 0);\n"
                   "}\n"},
    [BICGSTAB_STEP] = {"bicgstab_step",
                       {"x", "r", "p", "v", "s", "t"},
                       3,
                       UPDATE("f.r != 0.0", "",
                              "        out0 += f.r * p + f.b * s_at(0, 0);\n"
                              "        out1 = s_at(0, 0) - f.b * t_at(0, 0);\n"
                              "        out2 = out1 + f.g * (p - f.b * v_at(0, 0));\n")}};
