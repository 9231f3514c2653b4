// A program outside the project: it makes a node of uir and prints it.
#include <uir/ir/expr.h>

#include <iostream>

int main() {
  const uir::ir::IntImm imm(DLDataType{kDLInt, 32, 1}, 41);
  std::cout << imm->GetTypeKey() << " " << imm->value << "\n";
  return 0;
}
