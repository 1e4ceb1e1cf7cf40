/*@ origin */
/* The words and functions of GLSL that the kernel uses, for C. */
/*@ end */
#ifndef GLSL_H
#define GLSL_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define RESTRICT __restrict

/* Floats, which the reference computes in double. */
#ifdef DOUBLES
typedef double single;
#else
typedef float single;
#endif

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

/* Qualifiers without a meaning here. */
#define in
#define highp
#define mediump
#define lowp
#define precise

/* Scalars of another type. */
#define float(a) ((single)(a))
#define double(a) ((double)(a))
#define int(a) ((int)(a))
#undef bool
typedef _Bool bool;
#define bool(a) ((a) != 0)

/* ---- Functions of one type: suffix i, f or d ---- */

#define FOR_NUMBERS(T, s)                            \
    static inline T min_##s(T a, T b)                \
    {                                                \
        return b < a ? b : a;                        \
    }                                                \
    static inline T max_##s(T a, T b)                \
    {                                                \
        return a < b ? b : a;                        \
    }                                                \
    static inline T clamp_##s(T a, T low, T high)    \
    {                                                \
        return min_##s(max_##s(a, low), high);       \
    }                                                \
    static inline T sign_##s(T a)                    \
    {                                                \
        return (T)((a > 0) - (a < 0));               \
    }

#define FOR_FLOATS(T, s, f)                          \
    FOR_NUMBERS(T, s)                                \
    static inline T abs_##s(T a)                     \
    {                                                \
        return fabs##f(a);                           \
    }                                                \
    static inline T floor_##s(T a)                   \
    {                                                \
        return floor##f(a);                          \
    }                                                \
    static inline T ceil_##s(T a)                    \
    {                                                \
        return ceil##f(a);                           \
    }                                                \
    static inline T fract_##s(T a)                   \
    {                                                \
        return a - floor##f(a);                      \
    }                                                \
    static inline T mod_##s(T a, T b)                \
    {                                                \
        return a - b * floor##f(a / b);              \
    }                                                \
    static inline T mix_##s(T a, T b, T part)        \
    {                                                \
        return a * (1 - part) + b * part;            \
    }                                                \
    static inline T step_##s(T edge, T a)            \
    {                                                \
        return a < edge ? (T)0 : (T)1;               \
    }                                                \
    static inline T smoothstep_##s(T low, T high, T a)                        \
    {                                                                         \
        const T part = clamp_##s((a - low) / (high - low), (T)0, (T)1);       \
        return part * part * (3 - 2 * part);                                  \
    }                                                \
    static inline T sqrt_##s(T a)                    \
    {                                                \
        return sqrt##f(a);                           \
    }                                                \
    static inline T inversesqrt_##s(T a)             \
    {                                                \
        return 1 / sqrt##f(a);                       \
    }                                                \
    static inline T dot_##s(T a, T b)                \
    {                                                \
        return a * b;                                \
    }                                                \
    static inline T sin_##s(T a)                     \
    {                                                \
        return sin##f(a);                            \
    }                                                \
    static inline T cos_##s(T a)                     \
    {                                                \
        return cos##f(a);                            \
    }                                                \
    static inline T exp_##s(T a)                     \
    {                                                \
        return exp##f(a);                            \
    }                                                \
    static inline T log_##s(T a)                     \
    {                                                \
        return log##f(a);                            \
    }                                                \
    static inline T pow_##s(T a, T b)                \
    {                                                \
        return pow##f(a, b);                         \
    }

FOR_NUMBERS(int, i)
FOR_FLOATS(float, f, f)
FOR_FLOATS(double, d, )

static inline int abs_i(int a)
{
    return a < 0 ? -a : a;
}

/* ---- The function of an argument's type ---- */

#define OF_NUMBERS(name, type) _Generic((type), int: name##_i, double: name##_d, default: name##_f)
#define OF_FLOATS(name, type) _Generic((type), double: name##_d, default: name##_f)

#define min(a, b) OF_NUMBERS(min, (a) + (b))(a, b)
#define max(a, b) OF_NUMBERS(max, (a) + (b))(a, b)
#define clamp(a, low, high) OF_NUMBERS(clamp, (a) + (low) + (high))(a, low, high)
#define sign(a) OF_NUMBERS(sign, a)(a)
#define abs(a) OF_NUMBERS(abs, a)(a)
#define floor(a) OF_FLOATS(floor, a)(a)
#define ceil(a) OF_FLOATS(ceil, a)(a)
#define fract(a) OF_FLOATS(fract, a)(a)
#define mod(a, b) OF_FLOATS(mod, (a) + (b))(a, b)
#define mix(a, b, part) OF_FLOATS(mix, (a) + (b) + (part))(a, b, part)
#define step(edge, a) OF_FLOATS(step, (edge) + (a))(edge, a)
#define smoothstep(low, high, a) OF_FLOATS(smoothstep, (low) + (high) + (a))(low, high, a)
#define sqrt(a) OF_FLOATS(sqrt, a)(a)
#define inversesqrt(a) OF_FLOATS(inversesqrt, a)(a)
#define length(a) OF_FLOATS(abs, a)(a)
#define dot(a, b) OF_FLOATS(dot, (a) + (b))(a, b)
#define sin(a) OF_FLOATS(sin, a)(a)
#define cos(a) OF_FLOATS(cos, a)(a)
#define exp(a) OF_FLOATS(exp, a)(a)
#define log(a) OF_FLOATS(log, a)(a)
#define pow(a, b) OF_FLOATS(pow, (a) + (b))(a, b)

#endif
