#version 120
// SPDX-License-Identifier: MIT
// A point starts in the middle of every cell of x, is drawn at the transposed place, and carries its value.
uniform vec2 origin; // corner of the answer's domain and of x's, in texels

void main()
{
    gl_TexCoord[0] = vec4(gl_Vertex.xy + origin, 0.0, 1.0);
    gl_Position = gl_ModelViewProjectionMatrix * vec4(gl_Vertex.yx, 0.0, 1.0);
}
