// The balancer with faults on demand: the request header `x-wick-fault` makes its select trap, spin, eat memory or hand the
// host an address outside of its memory. Everything else is the balancer as it is.
import { proxy_on_upstream_select as select } from "../../../balancer-as/assembly/index"

// Everything the balancer exports besides; test/nginx/path/faulty.test.ts compares the two lists.
export {
  proxy_abi_version_0_2_1,
  proxy_on_configure,
  proxy_on_context_create,
  proxy_on_delete,
  proxy_on_memory_allocate,
  proxy_on_request_body,
  proxy_on_request_headers,
  proxy_on_shared_data_changed,
  proxy_on_tick,
  proxy_on_upstream_info,
  proxy_on_vm_start,
  wick_attempt,
} from "../../../balancer-as/assembly/index"
export * from "../../../balancer-as/assembly/unasked"


@external("env", "proxy_get_header_map_value")
declare function getHeader(map: i32, key: usize, keyLength: i32, data: usize, size: usize): i32

// "x-wick-fault"
const name: usize = memory.data<u8>([0x78, 0x2d, 0x77, 0x69, 0x63, 0x6b, 0x2d, 0x66, 0x61, 0x75, 0x6c, 0x74])
const nameLength = 12
const result: usize = memory.data(8, 4)

export function proxy_on_upstream_select(context: i32): void {
  const found = getHeader(0, name, nameLength, result, result + 4) == 0
  if (found && load<u32>(result, 4) > 0) fault(load<u8>(load<u32>(result)))
  select(context)
}

function fault(first: u8): void {
  switch (first) {
    case 0x74: // trap
      unreachable()
    case 0x6c: // loop
      while (true) {}
    case 0x6d: // memory
      while (memory.grow(16) >= 0) {}
      unreachable()
    case 0x61: // address
      getHeader(0, 0xfffffff0, 0x100, result, result + 4)
      store<u8>(0xfffffff0, 1)
    default:
      return
  }
}
