/** The key by which a request is hashed: the text that the host makes of the backend's template (`upstream-hash-by`). */
import * as arena from "../../../policy-as/assembly/lib/arena"
import * as crc32 from "../../../policy-as/assembly/lib/crc32"
import * as host from "../host"
import * as record from "../record"
import { Setting } from "../ids"
import { Backend } from "../backend"

const NO_KEY: host.Name = new host.Name(
  "Cannot hash requests by a key: the host cannot make one of the template, so any endpoint serves them; first met with ",
)

/** Hash of the key that was read last. */
export let hash: u32 = 0

let isReported: bool = false

/** The setting with the backend's template. */
export function templateOf(backend: Backend): usize {
  return record.setting(backend.head, Setting.HASH_KEY)
}

/** Reads the key of this request; false if there is none. */
export function read(backend: Backend, template: usize): bool {
  const hasKey = host.expand(record.fieldValue(template), record.fieldLength(template))
  if (hasKey) hash = crc32.checksum(host.at, host.length)
  else report(backend)
  return hasKey
}

/** Once: it is so for each request. */
function report(backend: Backend): void {
  if (isReported) return
  isReported = true
  const text = arena.allocate(NO_KEY.length + backend.keyLength)
  memory.copy(text, NO_KEY.at, NO_KEY.length)
  memory.copy(text + NO_KEY.length, backend.key, backend.keyLength)
  host.logError(text, NO_KEY.length + backend.keyLength)
}
