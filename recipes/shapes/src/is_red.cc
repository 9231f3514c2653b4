#include <toy/color.h>

bool IsRed(const toy::Color& color) { return color->red > 127; }
