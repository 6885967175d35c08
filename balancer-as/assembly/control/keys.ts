/** Keys of the zones: the prefix of a kind (kinds.ts) and a name, or `backends/:<ours>`. */
import { Buffer } from "../buffer"
import { Kind } from "./kind"
import { Name } from "../host"

export const GENERATION: Name = new Name("backends/:generation")
export const GENERAL: Name = new Name("backends/:general")

/** The key that was made last. */
export const key: Buffer = new Buffer()

/** `name` of a host is `<server>/<host>`. */
export function make(kind: Kind, name: usize, length: usize): void {
  key.clear()
  key.bytes(kind.prefix.at, kind.prefix.length)
  key.bytes(name, length)
}
