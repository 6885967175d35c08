/** Proxy-Wasm's status codes, as far as the fake host answers them. */
export const Status = {
  OK: 0,
  NOT_FOUND: 1,
  BAD_ARGUMENT: 2,
  CAS_MISMATCH: 8,
  INTERNAL_FAILURE: 10,
} as const
