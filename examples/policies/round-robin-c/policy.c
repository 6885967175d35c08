// Round robin in C, without any library: what a policy is when nobody helps. The ABI is in docs/abi.md, "Policies".
#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(name)))
#define IMPORT(name) __attribute__((import_module("env"), import_name(name)))

IMPORT("proxy_call_foreign_function")
int call_foreign_function(const char *name, uint32_t name_length, const void *arguments, uint32_t length, void **result,
                          uint32_t *result_length);

// The attempt record: of its fields this policy knows the first three.
struct attempt {
  uint32_t size;
  uint32_t attempt;
  uint32_t endpoint; // what is chosen
};
// The host finds it by its name; build.sh exports it.
struct attempt wick_attempt __attribute__((aligned(8))) = {sizeof(struct attempt), 0, 0};

// What is kept of a backend, by the number of its root context. A backend beyond the last shares a place with another one: that is no harm here.
enum { BACKENDS = 1024 };
static struct {
  uint32_t count;
  uint32_t next;
} backends[BACKENDS];

// The host asks for memory for its answers; each is read before the next call.
static char answer[4096];
EXPORT("proxy_on_memory_allocate") void *allocate(uint32_t size) { return size <= sizeof answer ? answer : 0; }

EXPORT("proxy_abi_version_0_2_1") void abi_version(void) {}

// The endpoints of a backend are new. Of the list only its length matters: none of its entries is asked for.
EXPORT("proxy_on_shared_data_changed") void endpoints_changed(uint32_t root) {
  static const char name[] = "wick_get_endpoints";
  const uint32_t first_and_max[2] = {0, 0};
  uint32_t *count = 0, length = 0;
  call_foreign_function(name, sizeof name - 1, first_and_max, sizeof first_and_max, (void **)&count, &length);
  backends[root % BACKENDS].count = length >= 4 ? *count : 0;
}

// An endpoint is wanted. One that the request has tried already is not looked at here: wick's own round robin steps in then.
EXPORT("proxy_on_upstream_select") void choose(uint32_t root) {
  uint32_t *next = &backends[root % BACKENDS].next;
  uint32_t count = backends[root % BACKENDS].count;
  if (count == 0 || wick_attempt.attempt > 0) return; // declines
  if (*next >= count) *next = 0;
  wick_attempt.endpoint = (*next)++;
}
