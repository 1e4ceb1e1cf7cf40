#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#ifdef GL_ARB_gpu_shader5
#extension GL_ARB_gpu_shader5 : enable
#else // the compiler chooses the order of sums
#define precise
#endif
// A step, four cells of a row a texel: their left and right neighbours begin one cell before or after
// a texel, so swizzles put them together from two. The rim is the zeros around the domain.
uniform sampler2DRect x;
#ifdef RHS
uniform sampler2DRect rhs; // h^2 f
#endif
#ifdef RIM
uniform vec2 origin, cells; // corner of the domain, in texels; cells of the grid, across and up
#endif
#ifdef SPIKE
uniform vec2 spike; // the cell with h^2 f = 1
#endif
#ifdef WEIGHTED
uniform float weight[1];
#endif

void main()
{
    vec2 here = gl_FragCoord.xy;
    float before = texture2DRect(x, here + vec2(-1.0, 0.0)).a;
    vec4 at = texture2DRect(x, here);
    float after = texture2DRect(x, here + vec2(1.0, 0.0)).r;
    vec4 below = texture2DRect(x, here + vec2(0.0, -1.0));
    vec4 above = texture2DRect(x, here + vec2(0.0, 1.0));
    precise vec4 sum = (vec4(before, at.rgb) + vec4(at.gba, after)) + (below + above);
#ifdef RHS
    sum += texture2DRect(rhs, here);
#endif
#ifdef RIM
    vec2 place = here - 0.5 - origin;
    vec4 column = 4.0 * place.x + vec4(0.0, 1.0, 2.0, 3.0);
#endif
#ifdef SPIKE
    sum += vec4(equal(column, spike.xxxx)) * float(place.y == spike.y);
#endif
    precise vec4 relaxed = sum * 0.25;
#ifdef WEIGHTED
    relaxed = at + weight[0] * (relaxed - at);
#endif
#ifdef RIM // the last texel of a row may reach beyond the grid
    relaxed *= vec4(lessThan(column, cells.xxxx));
#endif
    gl_FragColor = relaxed;
}
