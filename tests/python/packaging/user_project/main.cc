// A program outside the project: it makes a node of uir, and one of its own around it.
#include <toy/expr.h>
#include <uir/ir/expr.h>

#include <iostream>

int main() {
  const uir::ir::IntImm imm(DLDataType{kDLInt, 32, 1}, 41);
  const toy::Double twice(imm->dtype, imm, 1);
  std::cout << imm->GetTypeKey() << " " << imm->value << "\n";
  std::cout << twice->GetTypeKey() << " " << twice->times << "\n";
}
