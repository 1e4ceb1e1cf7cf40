// SPDX-License-Identifier: MIT
// A function of a project's own shaders: from 0 to 1 without a jolt at either end.
float ease(float t)
{
    t = clamp(t, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}
