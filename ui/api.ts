// The JSON of `GET /api/…`, for the page and for programs on the same machine, which ask the socket of the runtime directory
// (`Layout.uiSocket`). Page and API are of one release: nothing here is promised to others. There is no key, password or other
// content of a Secret in any of it. Moments are milliseconds since 1970, by the controller's clock.

import type { EndpointCounts as CountedAttempts } from "../controller/model/endpoint-counts.ts"
import type { EndpointState as BalancerState } from "../controller/model/endpoint-state.ts"
import type {
  Concerned,
  ProblemGroups,
  Severity,
  StandingProblem,
} from "../controller/model/standing-problem.ts"
import type { Reload } from "../controller/report/history/reload-history.ts"

export type {
  ProblemGroup,
  ProblemGroups,
  Severity,
  StandingProblem,
} from "../controller/model/standing-problem.ts"

/** Every path below `/api/`, and what it answers. What is wrong with a question is `Refusal`, with a status of 400 or above. */
export interface Answers {
  readonly overview: Overview
  readonly samples: Samples
  readonly traffic: TrafficPage
  readonly routes: Page<ShownRoute>
  readonly explain: Explained
  readonly backends: Page<ShownBackend>
  readonly backend: BackendDetails
  readonly canaries: Page<ShownCanary>
  readonly ports: Page<ShownPort>
  readonly certificates: Page<ShownCertificate>
  readonly problems: ProblemGroups
  readonly concerning: readonly StandingProblem[]
  readonly reloads: Page<Reload>
  readonly policies: readonly ShownPolicy[]
}

/** What may stand behind the question mark, by path. All are texts; what is absent does not narrow anything down. */
export interface Questions {
  readonly overview: Record<never, never>
  /** `since`: only samples that are younger than this moment */
  readonly samples: { readonly since?: string }
  readonly traffic: Paging
  /** `ingress`: `namespace/name`; `backend`: its name */
  readonly routes: Paging & { readonly ingress?: string; readonly backend?: string }
  /**
   * `url`: with or without http://, or `tcp://HOST:PORT`, `udp://HOST:PORT`; `client`: an IP address; `header`: `Name: value`, may come several times. `https`: `1` for a request by
   * HTTPS, as a URL with https is one.
   */
  readonly explain: {
    readonly url: string
    readonly client?: string
    readonly header?: string
    /** of `tcp://`: the server name that the client asks for; else the URL's, if it is a name */
    readonly sni?: string
    readonly https?: "1"
  }
  /** `only`: those without an endpoint */
  readonly backends: Paging & { readonly only?: "empty" }
  /** `offset` and `limit` are about its endpoints */
  readonly backend: Omit<Paging, "q" | "sort"> & { readonly name: string }
  readonly canaries: Paging
  readonly ports: Paging
  readonly certificates: Paging
  /**
   * `ingress`: those of this one, `namespace/name`; `namespace`: of objects there; `offset` and `limit` are about the Problems of each code.
   */
  readonly problems: Omit<Paging, "sort"> & {
    readonly severity?: Severity
    readonly code?: string
    readonly ingress?: string
    readonly namespace?: string
  }
  readonly concerning: Concerned
  readonly reloads: Omit<Paging, "q" | "sort">
  readonly policies: Record<never, never>
}

/**
 * `q`: words that must all be there, in any case. `sort`: a column, as the refusal of another one lists them; with a `-` in front from the largest on.
 * `limit`: 1 to 500, default 100.
 */
interface Paging {
  readonly q?: string
  readonly sort?: string
  readonly offset?: string
  readonly limit?: string
}

/** Why there is no answer: a sentence without its dot. */
export interface Refusal {
  readonly error: string
}

/** The part of a list that was asked for. */
export interface Page<T> {
  /** of all that fit the question */
  readonly total: number
  readonly offset: number
  readonly items: readonly T[]
}

export interface Overview {
  readonly nowMs: number
  readonly instance: Instance
  /** absent: it is as it should be */
  readonly trouble?: string
  readonly versions: Versions
  readonly counts: {
    readonly hosts: number
    readonly routes: number
    readonly ingresses: number
    readonly backends: number
    readonly endpoints: number
    /** backends to which routes or ports lead and that have no endpoint */
    readonly emptyBackends: number
    readonly canaries: number
    readonly certificates: number
    /** of TCP and UDP services */
    readonly ports: number
  }
  /** how many stand, by severity */
  readonly problems: Readonly<Record<Severity, number>>
  /** of the controller: from the objects to nginx. Absent before the first one has ended */
  readonly lastPass?: { readonly atMs: number; readonly ms: number }
  /** since the controller was started */
  readonly reloads: number
  readonly lastReload?: Reload
  /** of shared memory */
  readonly zones: readonly Zone[]
  /** what became of the filter that chooses endpoints, since nginx was started; absent: nginx does not say */
  readonly filter?: { readonly faults: number; readonly fallbacks: number; readonly instances: number }
}

export interface Instance {
  /** "" outside of a cluster */
  readonly namespace: string
  readonly pod: string
  readonly controllerClass: string
  readonly startedMs: number
  /** whether this replica writes status and Events; absent: there are no others, as objects come from files */
  readonly isLeader?: boolean
}

export interface Versions {
  readonly wick: string
  /** absent in a checkout */
  readonly commit?: string
  readonly node: string
  /** of the binary that is installed */
  readonly nginx: string
  /** SHA-256 of balancer.wasm, 64 hex digits */
  readonly filter: string
  /** of the configuration in force; absent: nginx does not run, or is being reloaded */
  readonly conf?: string
  /** nginx was started from other files than there are now: a restart of the controller replaces it */
  readonly isOutdated: boolean
}

export interface Zone {
  readonly name: string
  readonly usedBytes: number
  readonly bytes: number
  /** the namespace that wants most of it; absent: nobody wants any, or it keeps no records */
  readonly most?: {
    readonly namespace: string
    readonly bytes: number
    /** what it may have; absent: all */
    readonly shareBytes?: number
  }
}

/** What nginx was doing, every so many milliseconds; the oldest first. */
export interface Samples {
  readonly everyMs: number
  readonly samples: readonly Sample[]
}

export interface Sample {
  readonly atMs: number
  /** since nginx was started */
  readonly requests: number
  /** connections of clients, open now */
  readonly active: number
  /** those of them that wait for a next request */
  readonly waiting: number
}

export interface ShownRoute {
  /** `_` is every host without routes of its own */
  readonly host: string
  readonly path: string
  readonly match:
    | "exact"
    | "prefix"
    | "regex"
    | "string_prefix"
    | "string_prefix_final"
    | "pattern"
    | "pattern_any_case"
  readonly backend: string
  /** of that backend; absent: it is not in force */
  readonly endpoints?: number
  /** `namespace/name`; "" for wick's own */
  readonly ingress: string
  readonly location: string
  /** what it does besides leading to its backend, in few words each */
  readonly notes: readonly string[]
  /** how many Problems its Ingress has */
  readonly problems: number
}

/** What `wick explain` says. */
export interface Explained {
  readonly headline: string
  /** `closed`: of a connection to a port of TCP, or a datagram */
  readonly outcome: "proxied" | "redirected" | "answered" | "closed"
  readonly status?: number
  /** name and what there is to say, in order; a name of "" goes on with the one before */
  readonly facts: readonly (readonly [name: string, text: string])[]
  /** what the client gets in the end: a sentence without its dot */
  readonly gets: string
  /** `namespace/name` */
  readonly ingress?: string
  readonly backend?: string
  readonly canaries: readonly string[]
  /** those that come near first */
  readonly notTaken: readonly {
    readonly host: string
    readonly path: string
    readonly match: string
    readonly ingress: string
    readonly why: string
    /** it would serve the path if others were not there */
    readonly isRival: boolean
  }[]
  /** how many there are, of which `notTaken` has the first */
  readonly notTakenTotal: number
  readonly otherHosts: readonly { readonly host: string; readonly routes: number; readonly why: string }[]
}

export interface ShownBackend {
  readonly name: string
  /** as an Ingress names it */
  readonly algorithm: string
  readonly endpoints: number
  /** how many lead to it */
  readonly routes: number
  /** names of those that may take its place */
  readonly canaries: readonly string[]
  readonly notes: readonly string[]
}

export interface BackendDetails extends Omit<ShownBackend, "endpoints"> {
  readonly nowMs: number
  readonly endpoints: Page<ShownEndpoint>
  /** whether nginx counts attempts by endpoint (`--metrics-per-endpoint`) */
  readonly isCounted: boolean
  /** which requests it takes of the backends that name it as their canary */
  readonly takes?: string
}

export interface ShownEndpoint {
  /** `10.0.0.1:8080`, `[2001:db8::1]:8080` */
  readonly address: string
  /** as seen from this controller; absent: not known, or of no use */
  readonly zone?: "ours" | "another"
  /** over all workers, since the endpoint came or nginx was started; absent: there was no attempt, or nobody counts */
  readonly counts?: EndpointCounts
  /** what the balancer knows at this moment; absent: nothing */
  readonly state?: EndpointState
}

export type EndpointCounts = Omit<CountedAttempts, "backend" | "endpoint">

export type EndpointState = Omit<BalancerState, "endpoint">

export interface ShownCanary {
  readonly backend: string
  readonly canary: string
  /** which requests it takes, in words */
  readonly takes: string
  /** part of the requests that neither header nor cookie decides, 0 to 1 */
  readonly share: number
  readonly endpoints: number
}

/** A port of a TCP or UDP service. */
export interface ShownPort {
  /** `tcp:5432`, `tcp:192.0.2.1:5432` */
  readonly name: string
  readonly protocol: "tcp" | "udp"
  /** that clients connect to; absent: all that have no entry of their own */
  readonly address?: string
  readonly port: number
  /** one at least */
  readonly served: readonly {
    /** server name that clients ask for; `_`: every other one. Absent: names make no difference */
    readonly host?: string
    readonly backend: string
    /** `namespace/name:port`; "": not known */
    readonly service: string
    /** of the backend; absent: it is not in force */
    readonly endpoints?: number
  }[]
  /** `namespace/name` of the ConfigMap that asks for it */
  readonly source: string
  readonly notes: readonly string[]
  /** absent: nobody has come yet */
  readonly sessions?: {
    readonly total: number
    readonly open: number
    /** those that reached no endpoint */
    readonly failed: number
    readonly refused: number
    readonly receivedBytes: number
    readonly sentBytes: number
  }
}

/** A certificate that hosts show. */
export interface ShownCertificate {
  /** `namespace/name`; absent: the certificate that nginx was started with */
  readonly secret?: string
  readonly names: readonly string[]
  readonly subject: string
  readonly issuer: string
  /** as `ec prime256v1`, `rsa 2048` */
  readonly key: string
  readonly notBeforeMs: number
  readonly notAfterMs: number
  readonly hosts: number
  /** the first of them */
  readonly firstHosts: readonly string[]
}

/** Those first that fail most. */
export interface TrafficPage extends Page<IngressTraffic> {
  /** false: nginx does not count requests */
  readonly isCounted: boolean
}

/** What clients were answered. */
export interface IngressTraffic {
  /** `namespace/name`; "" where no Ingress was for them */
  readonly ingress: string
  readonly total: Answered
  /** absent before a second look */
  readonly perSecond?: Answered
}

export interface Answered {
  readonly requests: number
  /** with a status from 500 on */
  readonly errors: number
  /** with one from 400 to 499 */
  readonly refused: number
}

export type { Reload }

/** A balancing policy that Ingresses may use, as `wick policies` shows it. */
export interface ShownPolicy {
  readonly name: string
  readonly state: string
  /** SHA-256 of the version in force, 64 hex digits; absent: round robin takes its place */
  readonly digest?: string
  readonly reason?: string
  /** how many backends use it */
  readonly users: number
  readonly picks: number
  readonly declines: number
  readonly faults: number
  readonly nanosecondsPerPick?: number
}
