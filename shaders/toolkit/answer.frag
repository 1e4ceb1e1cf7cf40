// SPDX-License-Identifier: MIT
// The last cell of a reduction as its answer. Lines in front of this text say how: src/toolkit/reduce/reduce_kernels.c.
#ifdef ROOT
#define root(s) sqrt(s)
#else
#define root(s) (s)
#endif

#ifdef FLOAT_SUM
bool is_number(float a)
{
    return abs(a) <= 3.4028234e38;
}

// A sum of scaled terms, with the scale removed.
float as_it_is(float sum, float factor)
{
#ifdef PRODUCTS
    return sum * factor * factor;
#else
    return root(sum) * factor;
#endif
}

// The sum, of three with different scales, whose terms neither overflow nor underflow. The second, 2^-80 of the first,
// is used if the first is not finite; the third, 2^86, if the first is small (float_sum in reduce_kernels.c).
float float_sum(vec4 cell)
{
#ifdef COMPENSATED
    vec4 smaller = last_cell(vec2(1.0, 0.0)), larger = last_cell(vec2(2.0, 0.0));
    float sum = cell.x + cell.y, high = smaller.x + smaller.y, low = larger.x + larger.y, beyond = smaller.x;
#else
    float sum = cell.x, high = cell.y, low = cell.z, beyond = high;
#endif
    if (is_number(sum))
        return abs(sum) < LEAST && is_number(low) ? as_it_is(low, 1.2924697071141057e-26) : root(sum);
    return is_number(high) ? as_it_is(high, 1.2089258196146292e24) : root(beyond == beyond ? beyond : cell.x);
}
#endif

#ifdef DOUBLE_SUM
// m 2^(600 e), or its root.
double double_sum(dvec2 cell)
{
#ifdef ROOT
    double unit = packDouble2x32(uvec2(0u, 1323u << 20)), value = sqrt(cell.x);
#else
    double unit = packDouble2x32(uvec2(0u, 1623u << 20)), value = cell.x;
#endif
    for (double e = cell.y; e > 0.5LF; e -= 1.0LF)
        value *= unit;
    for (double e = cell.y; e < -0.5LF; e += 1.0LF)
        value /= unit;
    return value;
}
#endif

ANSWER kernel(vec2 here)
{
#if defined(FLOAT_SUM)
    return float_sum(last_cell(vec2(0.0)));
#elif defined(DOUBLE_SUM)
    return double_sum(last_cell(vec2(0.0)));
#elif defined(WHOLE_SUM)
    return ANSWER(last_cell(vec2(0.0)).x);
#else
    return ANSWER(last_cell(vec2(0.0)));
#endif
}
