#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Bound of divide.frag, as branched_alwayscache.frag is one of branched.frag. That texel holds 0,
// by which nothing can be divided: 1 is added to each value fetched, here in one variant alone.
// After paper 2, 'Provide breakdown of bottlenecks', which prints no program.
uniform sampler2DRect a;
uniform vec4 same_x, same_y; // coordinates of that texel

vec4 fetch(sampler2DRect array, vec2 at)
{
    return 1.0 + texture2DRect(array, at);
}

void main()
{
    vec4 pivot = fetch(a, vec2(same_x.x, same_y.y));
    gl_FragColor = fetch(a, vec2(same_x.y, same_y.y)) / pivot;
}
