#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Copies the factors from their own texture into the matrix: L below the diagonal.
uniform sampler2DRect factors;

void main()
{
    gl_FragColor = texture2DRect(factors, vec2(0.5, gl_FragCoord.y));
}
