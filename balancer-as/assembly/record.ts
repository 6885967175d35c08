/** Records in the zones (docs/wire.md 2): where their parts stand, and whether bytes are such a record from end to end. */

export const VERSION: u8 = 1

/** Backend: u8 version · u8 algorithm · u16 bytes of settings · u32 number of endpoints · settings · endpoints. */
export const BACKEND_HEAD_BYTES: usize = 8
/** Endpoint: u16 port · u16 weight · u8 kind (4 or 6) · 4 or 16 bytes of address. */
export const ENDPOINT_HEAD_BYTES: usize = 5
/** Host: u8 version · u8 0 · u16 0 · u32 number of routes; per route u32 length, then its fields. */
export const HOST_HEAD_BYTES: usize = 8

export namespace Algorithm {
  export const ROUND_ROBIN: u8 = 0
}

export function algorithm(record: usize): u8 {
  return load<u8>(record, 1)
}

/** How many endpoints a backend has, or routes a host. */
export function count(record: usize): u32 {
  return load<u32>(record, 4)
}

export function firstEndpoint(record: usize): usize {
  return record + BACKEND_HEAD_BYTES + load<u16>(record, 2)
}

export function port(endpoint: usize): u16 {
  return load<u16>(endpoint)
}

export function weight(endpoint: usize): u16 {
  return load<u16>(endpoint, 2)
}

/** 4 or 6. */
export function kind(endpoint: usize): u8 {
  return load<u8>(endpoint, 4)
}

export function address(endpoint: usize): usize {
  return endpoint + ENDPOINT_HEAD_BYTES
}

export function nextEndpoint(endpoint: usize): usize {
  return address(endpoint) + addressBytes(kind(endpoint))
}

export function addressBytes(kind: u8): usize {
  return kind == 4 ? 4 : 16
}

/** Is this a backend record of our version, each endpoint whole and possible? */
export function isBackend(at: usize, length: usize): bool {
  if (length < BACKEND_HEAD_BYTES || load<u8>(at) != VERSION) return false
  const end = at + length
  let endpoint = firstEndpoint(at)
  for (let left = count(at); left > 0; left--) {
    if (endpoint > end || end - endpoint < ENDPOINT_HEAD_BYTES + 4 || !isEndpoint(endpoint)) return false
    endpoint = nextEndpoint(endpoint)
  }
  return endpoint == end
}

function isEndpoint(endpoint: usize): bool {
  return (kind(endpoint) == 4 || kind(endpoint) == 6) && port(endpoint) != 0 && weight(endpoint) != 0
}
