// Rules of vectors: arithmetic on lanes becomes arithmetic on scalars.
#include "./domains.h"

namespace uir::arith {

namespace {

constexpr RuleText kVectorRules[] = {
    {kAny, "ramp(x, 0, n)", "bcast(x, n)", ""},
    {kAny, "ramp(x, y, n) + ramp(z, w, n)", "ramp(x + z, y + w, n)", ""},
    {kAny, "ramp(x, y, n) + bcast(z, n)", "ramp(x + z, y, n)", ""},
    {kAny, "bcast(x, n) + bcast(y, n)", "bcast(x + y, n)", ""},
    {kAny, "ramp(x, y, n) - ramp(z, w, n)", "ramp(x - z, y - w, n)", ""},
    {kAny, "ramp(x, y, n) - bcast(z, n)", "ramp(x - z, y, n)", ""},
    {kAny, "bcast(z, n) - ramp(x, y, n)", "ramp(z - x, 0 - y, n)", ""},
    {kAny, "bcast(x, n) - bcast(y, n)", "bcast(x - y, n)", ""},
    {kAny, "ramp(x, y, n) * bcast(z, n)", "ramp(x * z, y * z, n)", ""},
    {kAny, "bcast(x, n) * bcast(y, n)", "bcast(x * y, n)", ""},
    {kValue, "min(bcast(x, n), bcast(y, n))", "bcast(min(x, y), n)", ""},
    {kValue, "max(bcast(x, n), bcast(y, n))", "bcast(max(x, y), n)", ""},
    {kAny, "fdiv(bcast(x, n), bcast(y, n))", "bcast(fdiv(x, y), n)", ""},
    {kAny, "fmod(bcast(x, n), bcast(y, n))", "bcast(fmod(x, y), n)", ""},
    {kAny, "tdiv(bcast(x, n), bcast(y, n))", "bcast(tdiv(x, y), n)", ""},
    {kAny, "tmod(bcast(x, n), bcast(y, n))", "bcast(tmod(x, y), n)", ""},
    {kIndex, "fdiv(ramp(x, c1, n), bcast(c2, n))", "ramp(fdiv(x, c2), fdiv(c1, c2), n)",
     "c2 > 0 and fmod(c1, c2) == 0"},
    {kIndex, "fmod(ramp(x, c1, n), bcast(c2, n))", "bcast(fmod(x, c2), n)",
     "c2 > 0 and fmod(c1, c2) == 0"},
    {kIndex, "fdiv(ramp(x, c1, n), bcast(c2, n))", "bcast(fdiv(x, c2), n)",
     "c1 > 0 and c2 > 0 and fmod(x, c2) + c1 * (n - 1) < c2"},
    {kIndex, "fmod(ramp(x, c1, n), bcast(c2, n))", "ramp(fmod(x, c2), c1, n)",
     "c1 > 0 and c2 > 0 and fmod(x, c2) + c1 * (n - 1) < c2"},
    {kIndex, "tdiv(ramp(x, c1, n), bcast(c2, n))", "ramp(tdiv(x, c2), tdiv(c1, c2), n)",
     "c1 > 0 and c2 > 0 and x >= 0 and fmod(c1, c2) == 0"},
    {kIndex, "tmod(ramp(x, c1, n), bcast(c2, n))", "bcast(tmod(x, c2), n)",
     "c1 > 0 and c2 > 0 and x >= 0 and fmod(c1, c2) == 0"},
    {kIndex, "tdiv(ramp(x, c1, n), bcast(c2, n))", "bcast(tdiv(x, c2), n)",
     "c1 > 0 and c2 > 0 and x >= 0 and fmod(x, c2) + c1 * (n - 1) < c2"},
    {kIndex, "tmod(ramp(x, c1, n), bcast(c2, n))", "ramp(tmod(x, c2), c1, n)",
     "c1 > 0 and c2 > 0 and x >= 0 and fmod(x, c2) + c1 * (n - 1) < c2"},
    {kIndex, "fmod(ramp(x * c1 + c3, c4, n), bcast(c2, n))", "fmod(ramp(c3, c4, n), bcast(c2, n))",
     "c2 > 0 and fmod(c1, c2) == 0 and c3 >= 0 and c4 > 0 and c3 + c4 * (n - 1) <= 2147483647"},
    {kIndex, "fmod(ramp(x * c1, c4, n), bcast(c2, n))", "fmod(ramp(0, c4, n), bcast(c2, n))",
     "c2 > 0 and fmod(c1, c2) == 0 and c4 > 0 and c4 * (n - 1) <= 2147483647"},
    {kValue, "bcast(x, n) == bcast(y, n)", "bcast(x == y, n)", ""},
    {kValue, "bcast(x, n) != bcast(y, n)", "bcast(x != y, n)", ""},
    {kValue, "bcast(x, n) < bcast(y, n)", "bcast(x < y, n)", ""},
    {kValue, "bcast(x, n) <= bcast(y, n)", "bcast(x <= y, n)", ""},
    {kBool, "bcast(b1, n) and bcast(b2, n)", "bcast(b1 and b2, n)", ""},
    {kBool, "bcast(b1, n) or bcast(b2, n)", "bcast(b1 or b2, n)", ""},
    {kBool, "not bcast(b1, n)", "bcast(not b1, n)", ""},
    {kValue, "select(bcast(b1, n), x, y)", "select(b1, x, y)", ""},
};

}  // namespace

std::vector<RuleText> VectorRules() { return {std::begin(kVectorRules), std::end(kVectorRules)}; }

}  // namespace uir::arith
