import { field as written } from "../../wire/encode.ts"

/** Who does not know such a field must not serve without it. */
export const CRITICAL = 128

/** One field, or nothing when there is none. @param tag the id, and `CRITICAL` if it is */
export function field(tag: number, value: string | Uint8Array | undefined): Buffer {
  return value === undefined ? Buffer.alloc(0) : written(tag, Buffer.from(value))
}
