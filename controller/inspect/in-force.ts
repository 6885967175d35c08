import { readFile } from "node:fs/promises"
import type { EndpointCounts } from "../model/endpoint-counts.ts"
import type { BackendState } from "../model/endpoint-state.ts"
import type { KnownEndpoints } from "../model/known-endpoints.ts"
import type { Fixed } from "../model/model.ts"
import type { PolicyCounters } from "../model/policy-counters.ts"
import type { RequestCount } from "../model/request-count.ts"
import type { StreamCounters } from "../model/stream-counters.ts"
import { comparePorts, parseStreamName } from "../model/stream-listener.ts"
import type { ZoneFill } from "../model/zone-fill.ts"
import { type Answer, ControlClient } from "../output/control/client.ts"
import { readPolicyCounters, readStreamCounters, readZones } from "../output/control/counters.ts"
import { readEndpointCounts } from "../output/control/endpoint-counts.ts"
import { backendStates, readBackendState } from "../output/control/endpoint-states.ts"
import { confIn } from "../output/control/in-force-conf.ts"
import {
  listArguments,
  lists,
  type PostedAddressList,
  type PostedBackend,
  type PostedClientCertificate,
  type PostedEndpoint,
  type PostedHost,
  type PostedRoute,
  type PostedRoutePart,
  type PostedShaping,
  type PostedStream,
} from "../output/control/posted.ts"
import { readRequestCounts } from "../output/control/request-counts.ts"
import { type RequestTimes, readRequestTimes } from "../output/control/request-times.ts"
import { dirsOf, type Layout, layoutOf, readFixed } from "../output/nginx/files.ts"
import { Failure, reasonOf, systemCode } from "../support/failure.ts"
import { compareText } from "../support/order.ts"
import type { TlsInForce } from "./in-force-tls.ts"

// What an nginx serves that runs somewhere, asked of itself. Things are as the control API shows them: docs/wire.md 1.

export interface HostInForce extends PostedHost {
  readonly server: string
}

/** What requests by HTTPS for a host have to show. */
export type ClientsInForce = PostedClientCertificate

export type RouteInForce = PostedRoute

export interface BackendInForce extends PostedBackend {
  readonly "load-balance": string
  readonly endpoints: readonly PostedEndpoint[]
}

export type ShapingInForce = PostedShaping

/** Hashes of passwords are not shown. */
interface ShownUserList {
  readonly users: readonly { readonly name: string }[]
}

const atOnce = 1000

/** Parts of hosts are replaced only now and then. */
const maxAttempts = 10

/** The nginx of one runtime directory. */
export class InForce {
  readonly layout: Layout
  /** hash of the configuration it runs with */
  readonly hash: string
  readonly #client: ControlClient

  private constructor(layout: Layout, hash: string, client: ControlClient) {
    this.layout = layout
    this.hash = hash
    this.#client = client
  }

  /**
   * @param wanted `--runtime-dir`; "" looks where controllers work that were not told where
   * @throws Failure `not-running` when nothing runs there
   */
  static async find(wanted: string): Promise<InForce> {
    const dirs = dirsOf(wanted)
    const reasons: string[] = []
    for (const dir of dirs) {
      const layout = layoutOf(dir)
      const client = new ControlClient(layout.sockets.control)
      try {
        const { body } = await client.get("/conf")
        return new InForce(layout, confIn(body).hash, client)
      } catch (error) {
        client.close()
        reasons.push(`"${dir}" (${whyNot(error)})`)
      }
    }
    const advice = "name the one of a running wick with --runtime-dir"
    throw new Failure("not-running", `Cannot find a running wick in ${reasons.join(" or ")}: ${advice}`)
  }

  /** All hosts, by name. */
  async hosts(): Promise<readonly HostInForce[]> {
    const hosts = await this.#whole(() => this.#all<HostInForce>("routes"))
    return hosts.sort((a, b) => compareText(a.host, b.host) || compareText(a.server, b.server))
  }

  /** Those whose record bears exactly this name: none, or one for each server block. */
  async host(name: string): Promise<readonly HostInForce[]> {
    const path = `/configuration/routes?host=${encodeURIComponent(name)}`
    return this.#whole(async () => this.#list<HostInForce>(await this.#get(path)))
  }

  /** Likewise; an alias with the routes of the host that it refers to. */
  async hostWithRoutes(name: string): Promise<readonly HostInForce[]> {
    const hosts = await this.host(name)
    return Promise.all(
      hosts.map(async (host) => {
        const of = host.alias_of === undefined ? [] : await this.host(host.alias_of)
        return { ...host, routes: of.find(({ server }) => server === host.server)?.routes ?? host.routes }
      }),
    )
  }

  /** Hosts with the routes that their parts have. Asks again when parts were replaced in between. */
  async #whole(ask: () => Promise<readonly HostInForce[]>): Promise<HostInForce[]> {
    for (let attempt = 1; ; attempt += 1) {
      const hosts = await ask()
      const parts = await this.#parts(hosts.flatMap(({ parts = [] }) => parts))
      if (attempt < maxAttempts && hosts.some((host) => host.parts?.some((id) => !parts.has(id)))) continue
      return hosts.map((host) => withParts(host, parts))
    }
  }

  /** All of them at once when many are asked for. */
  async #parts(ids: readonly string[]): Promise<ReadonlyMap<string, PostedRoutePart>> {
    const ask = async (id: string) => {
      const answer = await this.#get(`/configuration/${lists.routeParts}?id=${encodeURIComponent(id)}`)
      return this.#list<PostedRoutePart>(answer)
    }
    const parts =
      ids.length > atOnce
        ? await this.#all<PostedRoutePart>(lists.routeParts)
        : (await Promise.all(ids.map(ask))).flat()
    return new Map(parts.map((part) => [part.id, part]))
  }

  /** All backends, by name. */
  async backends(): Promise<readonly BackendInForce[]> {
    const backends = await this.#all<BackendInForce>("backends")
    return backends.sort((a, b) => compareText(a.name, b.name))
  }

  async backend(name: string): Promise<BackendInForce | undefined> {
    const answer = await this.#get(`/configuration/backends?name=${encodeURIComponent(name)}`)
    return this.#list<BackendInForce>(answer)[0]
  }

  /** What serves ports of TCP and UDP: those of TCP first, by number. */
  async streams(): Promise<readonly PostedStream[]> {
    const streams = await this.#all<PostedStream>(lists.streams)
    return streams.sort((a, b) => comparePorts(parseStreamName(a.name), parseStreamName(b.name)))
  }

  /** @param name `Stream.name` */
  async stream(name: string): Promise<PostedStream | undefined> {
    const answer = await this.#get(`/configuration/${lists.streams}?name=${encodeURIComponent(name)}`)
    return this.#list<PostedStream>(answer)[0]
  }

  /** Sessions of those ports that somebody came to. */
  streamCounters(): Promise<readonly StreamCounters[]> {
    return readStreamCounters(this.#client)
  }

  /** What was counted and is known of the endpoints of a backend. */
  async endpoints(backend: string): Promise<KnownEndpoints> {
    const [counts, state] = await Promise.all([
      readEndpointCounts(this.#client, backend),
      readBackendState(this.#client, backend),
    ])
    return { counts, state }
  }

  /** Attempts by endpoint; undefined: nobody counts them. */
  endpointCounts(): Promise<readonly EndpointCounts[] | undefined> {
    return readEndpointCounts(this.#client)
  }

  /** What is known of the endpoints of all backends that learn. */
  async backendStates(): Promise<readonly BackendState[]> {
    const all: BackendState[] = []
    for await (const some of backendStates(this.#client)) all.push(...some)
    return all
  }

  /** Requests by Ingress, host and status; undefined: nobody counts them. */
  requestCounts(): Promise<readonly RequestCount[] | undefined> {
    return readRequestCounts(this.#client)
  }

  /** How long requests took, by Ingress and host. */
  requestTimes(): Promise<readonly RequestTimes[]> {
    return readRequestTimes(this.#client)
  }

  /** How full shared memory is. */
  zones(): Promise<readonly ZoneFill[]> {
    return readZones(this.#client)
  }

  /** What balancing policies did so far, in all workers. */
  policyCounters(): Promise<readonly PolicyCounters[]> {
    return readPolicyCounters(this.#client)
  }

  /** The networks of an address list. */
  async addresses(id: string): Promise<readonly string[] | undefined> {
    const answer = await this.#get(`/configuration/${lists.addressLists}?id=${encodeURIComponent(id)}`)
    return this.#list<PostedAddressList>(answer)[0]?.ranges
  }

  /** The names of a user list. */
  async users(id: string): Promise<readonly string[] | undefined> {
    const answer = await this.#get(`/configuration/${lists.userLists}?id=${encodeURIComponent(id)}`)
    return this.#list<ShownUserList>(answer)[0]?.users.map(({ name }) => name)
  }

  /** All of a list of TLS, in no order. */
  tls<List extends keyof TlsInForce>(list: List): Promise<readonly TlsInForce[List][]> {
    return this.#all<TlsInForce[List]>(list)
  }

  async tlsNamed<List extends keyof TlsInForce>(
    list: List,
    name: string,
  ): Promise<TlsInForce[List] | undefined> {
    const argument = `${listArguments[list]}=${encodeURIComponent(name)}`
    return this.#list<TlsInForce[List]>(await this.#get(`/configuration/${list}?${argument}`))[0]
  }

  close(): void {
    this.#client.close()
  }

  async #all<T>(what: string): Promise<T[]> {
    const all: T[] = []
    let cursor = ""
    for (;;) {
      const answer = await this.#get(`/configuration/${what}?limit=${atOnce}${cursor}`)
      all.push(...this.#list<T>(answer))
      if (answer.next === undefined) return all
      cursor = `&cursor=${answer.next}`
    }
  }

  #list<T>({ status, body }: Answer): readonly T[] {
    if (status === 404) return []
    if (status !== 200)
      throw new Failure("control-failed", `Cannot read what nginx serves: it answered ${status}`)
    return JSON.parse(body)
  }

  #get(path: string): Promise<Answer> {
    return this.#client.get(path)
  }
}

/**
 * The configuration that lies in a runtime directory, and what it was printed from.
 *
 * @throws Failure `not-running` when there is none
 */
export async function readConf(layout: Layout): Promise<{ text: string; fixed: Fixed | undefined }> {
  try {
    return { text: await readFile(layout.conf, "utf8"), fixed: await readFixed(layout) }
  } catch (cause) {
    throw new Failure("not-running", `Cannot read "${layout.conf}": ${reasonOf(cause)}`, { cause })
  }
}

function withParts(
  { parts = [], ...host }: HostInForce,
  found: ReadonlyMap<string, PostedRoutePart>,
): HostInForce {
  return { ...host, routes: [...host.routes, ...parts.flatMap((id) => found.get(id)?.routes ?? [])] }
}

function whyNot(error: unknown): string {
  const code = error instanceof Error ? systemCode(error.cause) : ""
  if (code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR") return "nothing runs there"
  return code === "EACCES" ? "belongs to another user" : reasonOf(error)
}
