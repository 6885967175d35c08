/** The endpoints of a backend as the host wants them (`wick_set_policy`). */
import * as address from "../address"
import * as record from "../record"
import * as slots from "../slots"
import { Backend } from "../backend"

/** u64 slot · u64 slot of the policy's own numbers · u32 weight · u8 zone · u8 4 or 6 · u16 port · 16 bytes of address. */
export const REGISTERED_BYTES: usize = 40

export function putEndpoints(backend: Backend, to: usize): void {
  for (let i: u32 = 0; i < backend.count; i++, to += REGISTERED_BYTES) {
    const endpoint = backend.endpoint(i)
    store<u64>(to, slots.numberOf(backend, i))
    store<u64>(to, slots.ownNumberOf(backend, i), 8)
    store<u32>(to, endpoint.weight, 16)
    store<u8>(to, record.zone(backend.head, i), 20)
    store<u8>(to, address.parse(endpoint.text, endpoint.length), 21)
    store<u16>(to, endpoint.port, 22)
    memory.copy(to + 24, address.parsed, 16)
  }
}
