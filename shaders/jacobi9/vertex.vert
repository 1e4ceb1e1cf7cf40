#version 120
// SPDX-License-Identifier: MIT
// Neighbour coordinates depend linearly on the position, so three or four vertices compute them and the
// rasteriser's interpolators, otherwise idle, carry them to every fragment.
// After paper 1, 'Including the vertex shader': written by us from the text; its Cg program is not
// printed. Changed: old built-in outputs of GLSL stand for TEXCOORD0 to TEXCOORD7.
uniform vec2 origin; // corner of the domain, in texels
uniform vec2 left;   // step to the left neighbour: beside it, or the far end of the row below
uniform vec2 right;  // step to the right neighbour: beside it, or the near end of the row above

void main()
{
    vec4 here = vec4(gl_Vertex.xy + origin, 0.0, 1.0);
    vec4 up = vec4(0.0, 1.0, 0.0, 0.0);
    vec4 to_left = vec4(left, 0.0, 0.0);
    vec4 to_right = vec4(right, 0.0, 0.0);
    gl_TexCoord[0] = here + to_left - up;
    gl_TexCoord[1] = here - up;
    gl_TexCoord[2] = here + to_right - up;
    gl_TexCoord[3] = here + to_left;
    gl_TexCoord[4] = here + to_right;
    gl_TexCoord[5] = here + to_left + up;
    gl_TexCoord[6] = here + up;
    gl_TexCoord[7] = here + to_right + up;
    gl_Position = ftransform();
}
