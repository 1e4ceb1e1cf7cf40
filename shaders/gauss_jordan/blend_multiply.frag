#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Row k, and in alpha the factor that the blender multiplies it with before it subtracts:
// nothing is computed here.
// After paper 2, 'Map to framebuffer operations', a proposal that prints no program.
uniform sampler2DRect factors;
uniform sampler2DRect row;

void main()
{
    float factor = texture2DRect(factors, vec2(0.5, gl_FragCoord.y)).r;
    gl_FragColor = vec4(texture2DRect(row, vec2(gl_FragCoord.x, 0.5)).rgb, factor);
}
