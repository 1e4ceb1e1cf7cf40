// SPDX-License-Identifier: MIT
// Edges of a picture by Sobel, of red, green and blue each: how steep is it across, and how steep up?
//     quadpass run demos/shaders/sobel.frag --input x=photo.png -o edges.png
//@ input x=../../docs/pictures/gallery/landscape.png
//@ outside clamp
//@ check sobel.c

vec4 kernel(vec2 here)
{
    vec4 across = vec4(0.0), up = vec4(0.0);
    for (int k = -1; k <= 1; k++) {
        float weight = float(2 - k * k);
        across += weight * (x_at(1.0, k) - x_at(-1.0, k));
        up += weight * (x_at(k, 1.0) - x_at(k, -1.0));
    }
    return vec4(sqrt(across * across + up * up).rgb, 1.0);
}
