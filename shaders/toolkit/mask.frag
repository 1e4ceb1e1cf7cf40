// SPDX-License-Identifier: MIT
// Drops cells where an array is 0; NaN is not 0. Lines in front define the array's type: src/toolkit/passes/mask.c.
uniform SAMPLER x;
uniform vec2 origin; // corner of the array, in texels of x

void main()
{
    if (FETCH(x, origin + gl_FragCoord.xy).r == ZERO)
        discard;
    gl_FragColor = vec4(1.0);
}
