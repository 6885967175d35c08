import { records } from "../../../../wire/schema.ts"

/** A backend record (docs/wire.md 2) of loopback endpoints. */
export function record(ports: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(12 + ports.length * 9))
  bytes.setUint8(0, records.backend.version)
  bytes.setUint32(4, ports.length, true)
  ports.forEach((port, i) => {
    const at = 12 + i * 9
    bytes.setUint16(at, port, true)
    bytes.setUint16(at + 2, 1, true)
    bytes.setUint8(at + 4, 4)
    bytes.setUint32(at + 5, 0x7f000001)
  })
  return new Uint8Array(bytes.buffer)
}
