/** Proxy-Wasm's status codes. */
export const OK = 0
export const NOT_FOUND = 1
export const CAS_MISMATCH = 8
export const INTERNAL_FAILURE = 10
