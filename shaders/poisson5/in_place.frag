#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#extension GL_ARB_gpu_shader5 : require
// A step of the cells of one colour, or of all cells. Source and target may be the same texture: no cell of the other
// colour is drawn, so that its texels may be read.
uniform sampler2DRect x;
uniform vec2 origin; // corner of the domain, in texels
#ifdef RHS
uniform sampler2DRect rhs; // h^2 f
#endif
#ifdef SPIKE
uniform vec2 spike; // the cell with h^2 f = 1
#endif
#ifdef WEIGHTED
uniform float weight;
#endif
#ifdef COLOURED
uniform float colour; // 0: cells whose column + row is even
#endif

void main()
{
    vec2 here = gl_FragCoord.xy;
    vec2 cell = here - origin - 0.5;
#ifdef COLOURED
    if (mod(cell.x + cell.y, 2.0) != colour)
        discard;
#endif
    float left = texture2DRect(x, here + vec2(-1.0, 0.0)).x;
    float right = texture2DRect(x, here + vec2(1.0, 0.0)).x;
    float below = texture2DRect(x, here + vec2(0.0, -1.0)).x;
    float above = texture2DRect(x, here + vec2(0.0, 1.0)).x;
    precise float sum = (left + right) + (below + above);
#ifdef RHS
    sum += texture2DRect(rhs, here).x;
#endif
#ifdef SPIKE
    sum += float(cell == spike);
#endif
    precise float relaxed = sum * 0.25;
#ifdef WEIGHTED
    float old = texture2DRect(x, here).x;
    relaxed = old + weight * (relaxed - old);
#endif
    gl_FragColor = vec4(relaxed);
}
