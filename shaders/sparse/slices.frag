// SPDX-License-Identifier: MIT
// Product with a matrix in slices of four rows. A slot holds four entries and the places of their unknowns. Lines in
// front say how wide vectors are, and either how many slots every slice has (EVEN), or how wide the lines of slots are;
// spans then differ: src/lab/sparse/product.c.
float unknown(int place)
{
    vec4 four = x_cell(vec2((place >> 2) & ACROSS_LESS_1, place >> ACROSS_LOG_4));
    vec2 two = (place & 2) != 0 ? four.ba : four.rg;
    return (place & 1) != 0 ? two.g : two.r;
}

vec4 kernel(vec2 here)
{
    vec4 sum = vec4(0.0);
#ifdef EVEN
    for (int k = 0; k < EVEN; k++) {
        vec2 at = vec2(float(EVEN) * here.x + float(k), here.y);
#else
    ivec2 span = span_at(0.0, 0.0);
    for (int k = span.x; k < span.y; k++) {
        vec2 at = vec2(k & WIDE_LESS_1, k >> WIDE_LOG);
#endif
        ivec4 p = column_cell(at);
        sum += a_cell(at) * vec4(unknown(p.x), unknown(p.y), unknown(p.z), unknown(p.w));
    }
    return sum;
}
