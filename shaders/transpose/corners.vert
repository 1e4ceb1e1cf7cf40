#version 120
// SPDX-License-Identifier: MIT
// The quad lies where the answer is drawn; its texture coordinates are exchanged.
uniform vec2 origin; // corner of the answer's domain and of x's, in texels

void main()
{
    gl_TexCoord[0] = vec4(gl_Vertex.yx + origin, 0.0, 1.0);
    gl_Position = ftransform();
}
