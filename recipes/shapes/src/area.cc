#include <toy/shape.h>

double Area(const toy::Circle& circle) { return 3.14159265 * circle->radius * circle->radius; }
