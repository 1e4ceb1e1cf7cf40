#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The multiple of row k that the blender subtracts from the texel in the target.
// After paper 2, 'Map to framebuffer operations', a proposal that prints no program.
uniform sampler2DRect factors;
uniform sampler2DRect row;

void main()
{
    vec4 factor = texture2DRect(factors, vec2(0.5, gl_FragCoord.y));
    gl_FragColor = factor * texture2DRect(row, vec2(gl_FragCoord.x, 0.5));
}
