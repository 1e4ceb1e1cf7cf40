// SPDX-License-Identifier: MIT
// In front of a kernel that reads what sums.frag left, `last`: adds that up, line by line. qp_sums_read does the same on
// the host, in double.
bool is_finite(float x)
{
    return abs(x) < 1e37;
}

#ifdef COMPUTED
vec4 total()
{
    return qp_total;
}
#else
vec4 total()
{
    vec4 sum = vec4(0.0);
    for (float y = 0.0; y < last_size.y; y += 1.0) {
        vec4 line = vec4(0.0);
        for (float x = 0.0; x < last_size.x; x += 1.0)
            line += last_cell(vec2(x, y));
        sum += line;
    }
    return sum;
}
#endif
