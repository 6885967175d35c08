// A callback with the wrong type.
export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return heap.alloc(size)
}

export function proxy_on_upstream_select(context: i64): i32 {
  return <i32>context
}
