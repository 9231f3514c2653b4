// The greatest error of results of float32, in units in the last place of the exact value.
//
// float64 stands for the exact value: its own error is less than 2**-28 such units.
#define _GNU_SOURCE 1
#include <math.h>
#include <stddef.h>
#include <string.h>

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double rsqrt(double x) { return 1 / sqrt(x); }
static double elu(double x) { return x < 0 ? expm1(x) : x; }
static double selu(double x) {
  // The factors are float32, as those of ONNX.
  return 1.0507009873554805f * (x < 0 ? 1.6732632423543772f * expm1(x) : x);
}
static double softplus(double x) { return fmax(x, 0) + log1p(exp(-fabs(x))); }
static double softplus_or_nan(double x) { return isnan(x) ? x : softplus(x); }
static double mish(double x) { return x * tanh(softplus_or_nan(x)); }

static const struct {
  const char* name;
  double (*exact)(double);
} kUnary[] = {
    {"acos", acos},   {"acosh", acosh},     {"asin", asin},   {"asinh", asinh},
    {"atan", atan},   {"atanh", atanh},     {"cos", cos},     {"cosh", cosh},
    {"erf", erf},     {"exp", exp},         {"exp10", exp10}, {"exp2", exp2},
    {"expm1", expm1}, {"log", log},         {"log10", log10}, {"log1p", log1p},
    {"log2", log2},   {"rsqrt", rsqrt},     {"sin", sin},     {"sinh", sinh},
    {"sqrt", sqrt},   {"sigmoid", sigmoid}, {"tan", tan},     {"tanh", tanh},
    {"elu", elu},     {"celu", elu},        {"selu", selu},   {"softplus", softplus_or_nan},
    {"mish", mish},
};

static const struct {
  const char* name;
  double (*exact)(double, double);
} kBinary[] = {{"atan2", atan2}, {"hypot", hypot}, {"pow", pow}};

static int is_same(float found, float expected) {
  return isnan(expected) ? isnan(found)
                         : found == expected && !signbit(found) == !signbit(expected);
}

static double error_of(float found, double exact) {
  const float expected = (float)exact;
  if (is_same(found, expected) && (isnan(expected) || isinf(expected) || exact == 0)) return 0;
  if (isnan(found) || isnan(expected)) return INFINITY;
  // A result that underflows keeps its sign.
  if (!signbit(found) != !signbit(exact)) return INFINITY;
  // An infinite result is the next number above the greatest finite one.
  const double value = isinf(found) ? copysign(0x1p128, found) : found;
  if (isinf(exact)) return INFINITY;
  int exponent = 0;
  frexp(exact, &exponent);
  if (exponent < -125) exponent = -125;
  if (exponent > 128) exponent = 128;
  const double nearest = fmin(fabs(exact), 0x1p128);
  return fabs(fabs(value) - nearest) / ldexp(1, exponent - 24);
}

// Store the place of the greatest error in `place`; -1 if there is no such function.
double greatest_error(const char* name, const float* x, const float* y, const float* found,
                      size_t count, size_t* place) {
  double (*unary)(double) = NULL;
  double (*binary)(double, double) = NULL;
  for (size_t i = 0; i < sizeof(kUnary) / sizeof(kUnary[0]); ++i) {
    if (strcmp(kUnary[i].name, name) == 0) unary = kUnary[i].exact;
  }
  for (size_t i = 0; i < sizeof(kBinary) / sizeof(kBinary[0]); ++i) {
    if (strcmp(kBinary[i].name, name) == 0) binary = kBinary[i].exact;
  }
  if (unary == NULL && binary == NULL) return -1;
  double greatest = 0;
  for (size_t i = 0; i < count; ++i) {
    const double exact = unary != NULL ? unary(x[i]) : binary(x[i], y[i]);
    const double error = error_of(found[i], exact);
    if (!(error <= greatest)) greatest = error, *place = i;
  }
  return greatest;
}
