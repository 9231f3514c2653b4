"""Kernels with a fault that a sanitizer must find; only `test_sanitizers.py` runs them."""

from __future__ import annotations

from uir.driver import compile_c

from ...support.c_texts import PRELUDE


def run(body: str) -> None:
    compile_c(f"""{PRELUDE}
#include <pthread.h>
#include <stdlib.h>
static int shared;
static void *add(void *unused) {{ for (int i = 0; i < 1000; ++i) ++shared; return unused; }}
int __tvm_ffi_main(void *self, const Any *args, int32_t count, Any *result) {{
  {body}
  result->type_index = 0;
  return 0;
}}
""").main()


def test_undefined() -> None:
    run("volatile int bits = 40; shared = 1 << bits;")


def test_address() -> None:
    run("volatile int *p = malloc(16); p[4] = 3; shared = p[4]; free((void *)p);")


def test_thread() -> None:
    run("pthread_t one; pthread_create(&one, 0, add, 0); add(0); pthread_join(one, 0);")
