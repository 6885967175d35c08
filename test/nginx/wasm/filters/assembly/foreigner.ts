// Imports a function that no Proxy-Wasm host has.
// @ts-ignore: decorator
@external("env", "proxy_launch_rocket")
declare function launch(): void

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  launch()
  return heap.alloc(size)
}
