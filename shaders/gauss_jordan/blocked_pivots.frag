#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Four columns of a panel, eliminated in place, four rows a fragment. D = L U is the 4 x 4 block where these
// columns and the pivots' rows P cross, l a row's own elements in these columns, and m = l U^-1:
//
//     rows to come     a := a - m L^-1 P     these columns: -m L^-1
//     the pivots       a := L^-1 P           these columns: U, and below its diagonal L^-1
//
// So a block of more columns, factored D = L U, ends up as U and below its diagonal L^-1, with
// -A D^-1 below it. The texel row after the last is the log: layer 0 has the rows exchanged, layer 1
// the pivots.
layout(rgba32f) readonly uniform image2DArray panel;
uniform int j; // texel column of the four in the block
uniform int n;

flat in ivec4 pivot;
flat in vec4 upper[4];
flat in vec4 lower[4];
flat in vec4 reciprocal;
flat in vec4 exchange;

const int MARKS = 0, NEXT = 1, FIRST = 2;
const vec4 COUNT = vec4(0.0, 1.0, 2.0, 3.0);

vec4 element(int x, int row)
{
    return imageLoad(panel, ivec3(x, row / 4, row % 4));
}

vec4 divided_by_upper(vec4 l)
{
    vec4 m;
    m.x = l.x * reciprocal.x;
    m.y = (l.y - m.x * upper[0].y) * reciprocal.y;
    m.z = (l.z - m.x * upper[0].z - m.y * upper[1].z) * reciprocal.z;
    m.w = (l.w - m.x * upper[0].w - m.y * upper[1].w - m.z * upper[2].w) * reciprocal.w;
    return m;
}

// L^-1 has ones in its diagonal and zeros above.
vec4 times_lower(vec4 m)
{
    m.x += m.y * lower[1].x + m.z * lower[2].x + m.w * lower[3].x;
    m.y += m.z * lower[2].y + m.w * lower[3].y;
    m.z += m.w * lower[3].z;
    return m;
}

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy);
    bool is_log = here.y == n / 4;
    int own = FIRST + j, x = here.x == NEXT ? own + 1 : here.x;
    vec4 p0 = element(x, pivot.x), p1 = element(x, pivot.y);
    vec4 p2 = element(x, pivot.z), p3 = element(x, pivot.w);
    vec4 marks = imageLoad(panel, ivec3(MARKS, here.y, 0));
    vec4 value = vec4(upper[0].x, upper[1].y, upper[2].z, upper[3].w);
    mat4 four;
    for (int s = 0; s < 4; s++) {
        vec4 a = imageLoad(panel, ivec3(x, here.y, s)), old = a;
        vec4 is = vec4(equal(ivec4(4 * here.y + s), pivot));
        bool now = is != vec4(0.0), before = marks[s] >= 0.0;
        float number = now ? dot(is, COUNT) : 4.0;
        vec4 m = now ? is : divided_by_upper(-imageLoad(panel, ivec3(own, here.y, s)));
        m = times_lower(m);
        a = now ? vec4(0.0) : a;
        a += m.x * p0;
        a += m.y * p1;
        a += m.z * p2;
        a += m.w * p3;
        a = x == own ? mix(m, a, greaterThanEqual(COUNT, vec4(number))) : a;
        a = before ? old : a;
        marks[s] = now ? 1.0 : marks[s];
        a = is_log ? x != own ? old : s == 0 ? exchange : value : a;
        four[s] = a;
    }
    mat4 next;
    for (int s = 0; s < 4; s++)
        next[s] = marks[s] >= 0.0 ? vec4(0.0) : four[s];
    next = transpose(next);
    four[0] = here.x == MARKS && !is_log ? marks : four[0];
    for (int s = 0; s < 4; s++)
        gl_FragData[s] = here.x == NEXT ? next[s] : four[s];
}
