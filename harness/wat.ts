/** Four bytes of data in a Wasm module as text, little endian: `\88\01\00\00` of 392. */
export function word(number: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes.toString("hex").replace(/../g, "\\$&")
}
