/** What is learned about an endpoint when an attempt has ended. */
import * as attempt from "./attempt"
import * as backends from "./backends"
import * as ejection from "./ejection"
import * as host from "./host"
import * as note from "./note"
import * as running from "./running"
import { Backend, NOWHERE } from "./backend"
import { BACKEND } from "./select"
import { report } from "./pick"
import { Property } from "./foreign"

/** The backend that took the place of the route's, if one did. */
const ALTERNATIVE: host.Name = new host.Name(Property.PROXY_ALTERNATIVE_UPSTREAM_NAME)

/** An attempt has ended about which `select` wanted to know. Hosts that are not ours do not say which one. */
export function learn(): void {
  if (!attempt.isOurHost()) return
  const backend = backendOfNote()
  if (backend == null) return
  const index = backend.indexOf(attempt.tag(), note.index())
  if (index == NOWHERE) return
  running.end(backend, index, note.counted())
  if (backend.ejections != 0) ejection.report(backend, index)
  report(backend, index)
}

/** An instance that was built since the attempt began does not know the backend yet, but the request knows its name. */
function backendOfNote(): Backend | null {
  const hash = note.backendHash()
  const known = backends.ofHash(hash)
  if (known != null) return known
  const main = backends.findByProperty(BACKEND)
  if (<u32>main.hash == hash) return main
  const alternative = backends.findByProperty(ALTERNATIVE)
  return <u32>alternative.hash == hash ? alternative : null
}
