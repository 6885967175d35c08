/** Which endpoint serves this attempt. */
import * as attempt from "./attempt"
import * as avoid from "./avoid"
import * as backends from "./backends"
import * as canary from "./canary"
import * as host from "./host"
import * as note from "./note"
import * as running from "./running"
import { Backend } from "./backend"
import { Counted } from "./running"
import { Need } from "./need"
import { pick } from "./pick"
import { Property } from "./foreign"

/** The route's backend, a variable that the ingress module sets; asked for where the configuration names no key. */
export const BACKEND: host.Name = new host.Name(Property.PROXY_UPSTREAM_NAME)
const NO_ENDPOINTS: host.Name = new host.Name("no_endpoints")

export function select(): void {
  const main = backendOfRequest()
  const backend = attempt.number() == 0 ? backendToBegin(main) : backendAsBefore(main)
  if (backend.count == 0) return host.localResponse(503, NO_ENDPOINTS, 0, 0, 0, 0)
  avoid.begin(backend)
  const index = pick(backend)
  const endpoint = backend.endpoint(index)
  // Another filter of the chain may have chosen before: the first one wins, and how its choice ends does not concern us.
  const isOurs = host.setUpstream(endpoint.text, endpoint.length, endpoint.port)
  attempt.want(isOurs ? backend.needs & Need.TIMES : 0)
  note.leave(backend, index, isOurs && attempt.isKept() ? running.begin(backend, index) : Counted.NOT)
  attempt.choose(endpoint.tag)
}

function backendOfRequest(): Backend {
  return attempt.hasKey() ? backends.find(attempt.KEY, attempt.keyLength()) : backends.findByProperty(BACKEND)
}

// @ts-ignore: decorator
@inline
function backendToBegin(main: Backend): Backend {
  return main.alternatives == 0 ? main : canary.choose(main)
}

/** A retry stays with the backend of the first attempt. */
function backendAsBefore(main: Backend): Backend {
  const hash = note.backendHash()
  if (hash == <u32>main.hash) return main
  const before = backends.ofHash(hash)
  if (before == null) return main
  backends.bringUpToDate(before)
  return before.count > 0 ? before : main
}
