/** Which endpoint serves this attempt. */
import * as attempt from "./attempt"
import * as backends from "./backends"
import { Backend } from "./backend"
import * as host from "./host"
import { Backend } from "./backend"
import { pick } from "./pick"

/** The route's backend, a variable that the ingress module sets; asked for where the configuration names no key. */
const BACKEND: host.Name = new host.Name("ngx\0proxy_upstream_name")
const NO_ENDPOINTS: host.Name = new host.Name("no_endpoints")

export function select(): void {
  const backend = attempt.hasKey() ? backends.find(attempt.KEY, attempt.keyLength()) : askForBackend()
  if (backend.count == 0) return host.localResponse(503, NO_ENDPOINTS, 0, 0, 0, 0)
  const endpoint = pick(backend)
  attempt.choose(endpoint.tag)
  // Another filter of the chain may have chosen before: the first one wins.
  host.setUpstream(endpoint.text, endpoint.length, endpoint.port)
}

/** On hosts that put no key into the attempt record. */
function askForBackend(): Backend {
  const isNamed = host.property(BACKEND)
  return backends.find(host.at, isNamed ? host.length : 0)
}

function findByProperty(): Backend {
  const isNamed = host.property(BACKEND)
  return backends.find(host.at, isNamed ? host.length : 0)
}
