#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Adds the next coarser grid's answer to x, interpolated: a node takes two coarse ones each way. EQUAL: where each is a
// coarse one or in the middle between two.
uniform sampler2DRect x;
uniform sampler2DRect coarse;
#ifdef EQUAL
uniform vec2 rim; // 1 where x is 0 beyond the first node, across and up
#else
uniform sampler2DRect shares_across, shares_up; // the coarse node before a column and a row, and both weights
#endif

void main()
{
    vec2 node = gl_FragCoord.xy;
#ifdef EQUAL
    vec2 place = node - 0.5 + rim, before = floor(0.5 * place), first = before - rim + 0.5;
    vec2 high = 0.5 * place - before, low = 1.0 - high;
#else
    vec3 across = texture2DRect(shares_across, vec2(node.x, 0.5)).xyz;
    vec3 up = texture2DRect(shares_up, vec2(node.y, 0.5)).xyz;
    vec2 first = vec2(across.x, up.x) + 0.5, low = vec2(across.y, up.y), high = vec2(across.z, up.z);
#endif
    float below = low.x * texture2DRect(coarse, first).x + high.x * texture2DRect(coarse, first + vec2(1.0, 0.0)).x;
    float above = low.x * texture2DRect(coarse, first + vec2(0.0, 1.0)).x +
                  high.x * texture2DRect(coarse, first + vec2(1.0, 1.0)).x;
    gl_FragColor = vec4(texture2DRect(x, node).x + low.y * below + high.y * above);
}
