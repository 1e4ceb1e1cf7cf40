#version 400 compatibility
// SPDX-License-Identifier: MIT
// Three times a double less 2: exact for numbers near 1 that float could not tell from it.
uniform usampler2DRect x;
out uvec2 words;

void main()
{
    double number = packDouble2x32(texture(x, gl_FragCoord.xy).rg);
    words = unpackDouble2x32(3.0LF * number - 2.0LF);
}
