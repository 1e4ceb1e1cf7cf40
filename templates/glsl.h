/*@ origin */
/* The words and functions of GLSL that heat.frag uses, for C; glsl.hpp has vectors, for C++. */
/*@ end */
#ifndef GLSL_H
#define GLSL_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define RESTRICT __restrict

#undef math_errhandling /* a kernel may have this name */

/* Marks functions that CUDA's devices call, too. */
#ifdef __CUDACC__
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif

/* Floats, which the reference computes in double. */
#ifdef DOUBLES
typedef double single;
#else
typedef float single;
#endif

/* Qualifiers without a meaning here. */
#define in
#define highp
#define mediump
#define lowp
#define precise

/* ---- Functions of one type: their names end with i, f or d, and in C++ with _ alone ---- */

#define FUNCTION(T, name, parameters, value)    \
    HOST_DEVICE static inline T name parameters \
    {                                           \
        return value;                           \
    }

/* `second` is b, or a where b is NaN, which no integer is. */
#define FOR_NUMBERS(T, s, second)                                                \
    FUNCTION(T, least_##s, (T a, T b), a < b ? a : b)                            \
    FUNCTION(T, most_##s, (T a, T b), a > b ? a : b)                             \
    FUNCTION(T, min_##s, (T a, T b), least_##s(a, second))                       \
    FUNCTION(T, max_##s, (T a, T b), most_##s(a, second))                        \
    FUNCTION(T, clamp_##s, (T a, T low, T high), min_##s(max_##s(a, low), high)) \
    FUNCTION(T, sign_##s, (T a), (T)((a > 0) - (a < 0)))

/* NVRTC has no NAN, but the root of a negative number is one. */
#define FOR_FLOATS(T, s, f)                                               \
    FOR_NUMBERS(T, s, b == b ? b : a)                                     \
    FUNCTION(T, abs_##s, (T a), fabs##f(a))                               \
    FUNCTION(T, floor_##s, (T a), floor##f(a))                            \
    FUNCTION(T, ceil_##s, (T a), ceil##f(a))                              \
    FUNCTION(T, fract_##s, (T a), a - floor##f(a))                        \
    FUNCTION(T, mod_##s, (T a, T b), a - b * floor##f(a / b))             \
    FUNCTION(T, mix_##s, (T a, T b, T part), a *(1 - part) + b * part)    \
    FUNCTION(T, step_##s, (T edge, T a), a >= edge ? (T)1 : (T)0)         \
    FUNCTION(T, smooth_##s, (T part), part *part *(3 - 2 * part))         \
    FUNCTION(T, smoothstep_##s, (T low, T high, T a),                     \
             smooth_##s(clamp_##s((a - low) / (high - low), (T)0, (T)1))) \
    FUNCTION(T, sqrt_##s, (T a), sqrt##f(a))                              \
    FUNCTION(T, inversesqrt_##s, (T a), 1 / sqrt##f(a))                   \
    FUNCTION(T, dot_##s, (T a, T b), a *b)                                \
    FUNCTION(T, length_##s, (T a), sqrt##f(a *a))                         \
    FUNCTION(T, sin_##s, (T a), sin##f(a))                                \
    FUNCTION(T, cos_##s, (T a), cos##f(a))                                \
    FUNCTION(T, exp_##s, (T a), exp##f(a))                                \
    FUNCTION(T, log_##s, (T a), log##f(a))                                \
    FUNCTION(T, pow_##s, (T a, T b), a > 0 ? pow##f(a, b) : a < 0 ? sqrt##f(a) : (T)0)

/* Integers are divided without a trap: a / 0 is 0, and a % b is a - b * (a / b). */
#define FOR_INTEGERS(s)                                                                  \
    FUNCTION(int, qp_quotient_##s, (int a, int b), b == 0 ? 0 : b == -1 ? 0 - a : a / b) \
    FUNCTION(int, qp_rest_##s, (int a, int b), a - b * qp_quotient_##s(a, b))            \
    FUNCTION(int, abs_##s, (int a), a < 0 ? -a : a)

#ifdef __cplusplus
#include "glsl.hpp"
#else

FOR_NUMBERS(int, i, b)
FOR_FLOATS(float, f, f)
FOR_FLOATS(double, d, )
FOR_INTEGERS(i)
FUNCTION(float, qp_quotient_f, (float a, float b), a / b)
FUNCTION(double, qp_quotient_d, (double a, double b), a / b)

/* Vectors that are read by member. */
typedef struct {
    single x, y;
} vec2;
typedef struct {
    single x, y, z;
} vec3;
typedef struct {
    single x, y, z, w;
} vec4;

/* ---- The function of an argument's type ---- */

#define OF_NUMBERS(name, type) \
    _Generic((type), int : name##_i, double : name##_d, default : name##_f)
#define OF_FLOATS(name, type) _Generic((type) + (single)0, double : name##_d, default : name##_f)

#define min(a, b)                OF_NUMBERS(min, (a) + (b))(a, b)
#define max(a, b)                OF_NUMBERS(max, (a) + (b))(a, b)
#define clamp(a, low, high)      OF_NUMBERS(clamp, (a) + (low) + (high))(a, low, high)
#define sign(a)                  OF_NUMBERS(sign, a)(a)
#define abs(a)                   OF_NUMBERS(abs, a)(a)
#define floor(a)                 OF_FLOATS(floor, a)(a)
#define ceil(a)                  OF_FLOATS(ceil, a)(a)
#define fract(a)                 OF_FLOATS(fract, a)(a)
#define mod(a, b)                OF_FLOATS(mod, (a) + (b))(a, b)
#define mix(a, b, part)          OF_FLOATS(mix, (a) + (b) + (part))(a, b, part)
#define step(edge, a)            OF_FLOATS(step, (edge) + (a))(edge, a)
#define smoothstep(low, high, a) OF_FLOATS(smoothstep, (low) + (high) + (a))(low, high, a)
#define sqrt(a)                  OF_FLOATS(sqrt, a)(a)
#define inversesqrt(a)           OF_FLOATS(inversesqrt, a)(a)
#define length(a)                OF_FLOATS(length, a)(a)
#define dot(a, b)                OF_FLOATS(dot, (a) + (b))(a, b)
#define sin(a)                   OF_FLOATS(sin, a)(a)
#define cos(a)                   OF_FLOATS(cos, a)(a)
#define exp(a)                   OF_FLOATS(exp, a)(a)
#define log(a)                   OF_FLOATS(log, a)(a)
#define pow(a, b)                OF_FLOATS(pow, (a) + (b))(a, b)
#define qp_quotient(a, b)        OF_NUMBERS(qp_quotient, (a) + (b))(a, b)
#define qp_rest(a, b)            qp_rest_i(a, b)

#endif
#endif
