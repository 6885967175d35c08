import { readRuleSet } from "../output/nginx/rule-set-files.ts"
import type { Sources } from "./explanation.ts"
import type { InForce } from "./in-force.ts"
import { rehearse } from "./rehearse.ts"
import type { StreamSources } from "./stream-explanation.ts"

/** What a running nginx is asked for an explanation; which Problems stand is the controller's to say. */
export function sourcesIn(inForce: InForce): Omit<Sources, "standing"> {
  return {
    rehearse: (rehearsal, asksService) => rehearse(inForce.layout, rehearsal, asksService),
    host: (name) => inForce.hostWithRoutes(name),
    backend: (name) => inForce.backend(name),
    addresses: (id) => inForce.addresses(id),
    users: (id) => inForce.users(id),
    ruleSet: (digest) => readRuleSet(inForce.layout, digest),
  }
}

export function streamSourcesIn(inForce: InForce, standing: StreamSources["standing"]): StreamSources {
  return {
    stream: (name) => inForce.stream(name),
    streamCounters: () => inForce.streamCounters(),
    backend: (name) => inForce.backend(name),
    addresses: (id) => inForce.addresses(id),
    standing,
  }
}
