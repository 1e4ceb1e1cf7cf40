#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#ifdef GL_ARB_gpu_shader5
#extension GL_ARB_gpu_shader5 : enable
#else // the compiler chooses the order of sums
#define precise
#endif
// A step, one cell a texel. The rim is the zeros around the domain.
uniform sampler2DRect x;
#ifdef RHS
uniform sampler2DRect rhs; // h^2 f
#endif
#ifdef SPIKE
uniform vec2 origin; // corner of the domain, in texels
uniform vec2 spike;  // the cell with h^2 f = 1
#endif
#ifdef WEIGHTED
uniform float weight[1];
#endif

void main()
{
    vec2 here = gl_FragCoord.xy;
    float left = texture2DRect(x, here + vec2(-1.0, 0.0)).x;
    float right = texture2DRect(x, here + vec2(1.0, 0.0)).x;
    float below = texture2DRect(x, here + vec2(0.0, -1.0)).x;
    float above = texture2DRect(x, here + vec2(0.0, 1.0)).x;
    precise float sum = (left + right) + (below + above);
#ifdef RHS
    sum += texture2DRect(rhs, here).x;
#endif
#ifdef SPIKE
    sum += float(here == origin + spike + 0.5);
#endif
    precise float relaxed = sum * 0.25;
#ifdef WEIGHTED
    float old = texture2DRect(x, here).x;
    relaxed = old + weight[0] * (relaxed - old);
#endif
    gl_FragColor = vec4(relaxed);
}
