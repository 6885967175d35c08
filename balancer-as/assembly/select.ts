/** Which endpoint serves this attempt, and what is learned about the endpoint when the attempt has ended. */
import * as attempt from "./attempt"
import * as backends from "./backends"
import * as host from "./host"
import * as slots from "./slots"
import { Backend, NOWHERE } from "./backend"
import { Need, pick, report } from "./pick"

/** The route's backend, a variable that the ingress module sets; asked for where the configuration names no key. */
const BACKEND: host.Name = new host.Name("ngx\0proxy_upstream_name")
/** The backend that took its place, if one did. */
const ALTERNATIVE: host.Name = new host.Name("ngx\0proxy_alternative_upstream_name")
const NO_ENDPOINTS: host.Name = new host.Name("no_endpoints")

/**
 * The note of an attempt: end of the hash of the backend's name (u32) · `COUNTED` and the endpoint's place (u32). It survives
 * a rebuilt instance and a list that changed: the hash finds the same backend, the tag the same endpoint.
 */
const COUNTED: u32 = 0x80000000

export function select(): void {
  const main = backendOfRequest()
  const backend = attempt.number() == 0 ? main : backendAsBefore(main)
  if (backend.count == 0) return host.localResponse(503, NO_ENDPOINTS, 0, 0, 0, 0)
  const index = pick(backend)
  const endpoint = backend.endpoint(index)
  // Another filter of the chain may have chosen before: the first one wins, and how its choice ends does not concern us.
  const isOurs = host.setUpstream(endpoint.text, endpoint.length, endpoint.port)
  attempt.want(isOurs ? backend.needs & Need.TIMES : 0)
  leaveNote(backend, isOurs ? index | count(backend, index) : index)
  attempt.choose(endpoint.tag)
}

function backendOfRequest(): Backend {
  if (attempt.hasKey()) return backends.find(attempt.KEY, attempt.keyLength())
  return askForBackend(BACKEND)
}

/** On hosts that put no key into the attempt record. */
function askForBackend(property: host.Name): Backend {
  const isNamed = host.property(property)
  return backends.find(host.at, isNamed ? host.length : 0)
}

/** A retry stays with the backend of the first attempt. */
function backendAsBefore(main: Backend): Backend {
  const hash = <u32>(attempt.note() >> 32)
  if (hash == <u32>main.hash) return main
  const before = backends.ofHash(hash)
  if (before == null) return main
  backends.bringUpToDate(before)
  return before.count > 0 ? before : main
}

function leaveNote(backend: Backend, place: u32): void {
  attempt.leaveNote(((<u64>(<u32>backend.hash)) << 32) | place)
}

/** Counts the attempt as running if that is needed. */
function count(backend: Backend, index: u32): u32 {
  if ((backend.needs & Need.RUNNING) != Need.RUNNING || !attempt.isKept()) return 0
  slots.add(backend, index, slots.GAUGE, 1)
  return COUNTED
}

/** An attempt that `select` asked about has ended. */
export function learn(): void {
  const note = attempt.note()
  const backend = backendOfNote(<u32>(note >> 32))
  if (backend == null) return
  const index = backend.indexOf(attempt.tag(), (<u32>note) & ~COUNTED)
  if (index == NOWHERE) return
  if (((<u32>note) & COUNTED) != 0 && backend.slots != 0) slots.add(backend, index, slots.GAUGE, -1)
  report(backend, index)
}

/** An instance that was built since the attempt began does not know the backend yet, but the request knows its name. */
function backendOfNote(hash: u32): Backend | null {
  const known = backends.ofHash(hash)
  if (known != null) return known
  const main = askForBackend(BACKEND)
  if (<u32>main.hash == hash) return main
  const alternative = askForBackend(ALTERNATIVE)
  return <u32>alternative.hash == hash ? alternative : null
}
