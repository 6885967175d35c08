/** Keys of the zones: `backends/<name>`, `backends/:<ours>`, `routes/<server>/<host>`. */
import { Buffer } from "../buffer"
import { Name } from "../host"

export const BACKENDS: Name = new Name("backends/")
export const ROUTES: Name = new Name("routes/")
export const GENERATION: Name = new Name("backends/:generation")
export const GENERAL: Name = new Name("backends/:general")

/** The key that was made last. */
export const key: Buffer = new Buffer()

export function ofBackend(name: usize, length: usize): void {
  key.clear()
  key.bytes(BACKENDS.at, BACKENDS.length)
  key.bytes(name, length)
}

/** `place` is `<server>/<host>`. */
export function ofHost(place: usize, length: usize): void {
  key.clear()
  key.bytes(ROUTES.at, ROUTES.length)
  key.bytes(place, length)
}
