#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Bound of copy.frag, as branched_alwayscache.frag is one of branched.frag.
// After paper 2, 'Provide breakdown of bottlenecks', which prints no program.
uniform sampler2DRect a;
uniform vec4 same_x, same_y; // coordinates of that texel

void main()
{
    gl_FragColor = texture2DRect(a, vec2(same_x.x, same_y.x));
}
