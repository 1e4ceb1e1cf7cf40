// SPDX-License-Identifier: MIT
//@ outside clamp
//@ set rate=0.2 
  //@	steps 3
float kernel(vec2 here)
{
    return rate * x_at(1.0, 0.0);
}
