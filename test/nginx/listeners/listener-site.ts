// The nginx.conf that wick writes, with hosts of listeners: which ports there are is configuration, whose hosts are there is data.
import { expect } from "vitest"
import { liveChange } from "../../../controller/core/plan/change.ts"
import { kinds, liveOf } from "../../../controller/core/plan/kinds.ts"
import type { Backend } from "../../../controller/model/backend.ts"
import type { Authority, Certificate } from "../../../controller/model/certificate.ts"
import { type Listener, serverOf, type WebPort } from "../../../controller/model/listener.ts"
import type { Fixed, Live, Model } from "../../../controller/model/model.ts"
import type { Host } from "../../../controller/model/route.ts"
import { SecretText } from "../../../controller/model/secret-file.ts"
import type { Stream } from "../../../controller/model/stream.ts"
import { type StreamPort, streamName } from "../../../controller/model/stream-listener.ts"
import { distinctBy } from "../../../controller/support/distinct.ts"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { ingress, ingressClass, serviceOn } from "../../../harness/manifests.ts"
import type { Identity } from "../../../harness/pki.ts"
import { freePorts, type Listeners } from "../../../harness/ports.ts"
import { changesOf, optionsOf, translationOf } from "../../../harness/translation.ts"
import { type LocalPlane, localPlane } from "../../support/local-plane.ts"

/** A host of a listener that the backend of this name serves; absent: nobody does. */
export interface ListenerHost {
  readonly on: Listener
  readonly host: string
  readonly backend?: string
  readonly more?: Partial<Host>
}

/** What is served beside an Ingress for each backend: its host is `a.test` for the first, then the backend's name with `.test`. */
export interface Served {
  readonly ports: readonly WebPort[]
  readonly hosts: readonly ListenerHost[]
  readonly live?: Partial<Live>
  /** to the backend of this name, on whatever port it listens */
  readonly streams?: readonly { readonly stream: Stream; readonly port: StreamPort; readonly to: number }[]
}

export class ListenerSite implements AsyncDisposable {
  readonly #local: LocalPlane
  readonly #backends: Backends
  readonly #names: readonly string[]
  /** nobody listens there yet */
  readonly free: readonly number[]

  private constructor(
    local: LocalPlane,
    backends: Backends,
    names: readonly string[],
    free: readonly number[],
  ) {
    this.#local = local
    this.#backends = backends
    this.#names = names
    this.free = free
  }

  /** @param names of backends */
  static async start(...names: readonly string[]): Promise<ListenerSite> {
    const backends = await startBackends(...names)
    return new ListenerSite(await localPlane(), backends, names, await freePorts(3))
  }

  /** Those of all hosts. */
  get ports(): Listeners {
    return this.#local.ports
  }

  /** @returns the hash of the configuration that was loaded for it; undefined: it was in force */
  async serve({ ports, hosts, live = {}, streams = [] }: Served): Promise<string | undefined> {
    const model = this.#model()
    const servers = new Set(hosts.map(({ on }) => serverOf(on)))
    const own = hosts.map((host) => this.#hostOf(host, model))
    const named = new Set(own.map(({ server, host }) => `${server} ${host}`))
    // Every other host of a listener: nobody's.
    const others = [...servers].flatMap((server) =>
      named.has(`${server} _`) ? [] : [{ server, host: "_", routes: [] }],
    )
    const wanted = inOrder({
      ...model.live,
      ...live,
      hosts: [...model.live.hosts, ...own, ...others],
      backends: [
        ...model.live.backends,
        ...streams.map(({ stream, to }) => backendOf(stream.backend, to, model)),
      ],
      streams: streams.map(({ stream }) => stream),
    })
    const fixed: Fixed = {
      ...model.fixed,
      ...(ports.length > 0 && { listeners: ports }),
      ...(streams.length > 0 && {
        streams: distinctBy(
          streams.map(({ port }) => port),
          streamName,
        ),
      }),
    }
    const { plane } = this.#local
    if (plane.generation === undefined) await plane.prepare(fixed)
    expect(await plane.post(wanted, liveChange(plane.live, wanted))).toEqual([])
    return plane.load(fixed)
  }

  #model(): Model {
    const objects = [...this.#backends].flatMap(({ name, port }) => [
      ingress(`demo/${name}`, `${this.#hostFor(name)}/ → ${name}:80`),
      ...serviceOn(`demo/${name}`, [port]),
    ])
    const changes = [ingressClass, ...objects].flatMap((object, at) => changesOf(object, `all.yaml:${at}`))
    return translationOf(changes, optionsOf(["--manifests=x", ...this.#local.flags])).model
  }

  #hostFor(backend: string): string {
    return backend === this.#names[0] ? "a.test" : `${backend}.test`
  }

  #hostOf({ on, host, backend, more = {} }: ListenerHost, { live }: Model): Host {
    const name = backend === undefined ? undefined : this.#hostFor(backend)
    const routes = live.hosts.find((one) => one.host === name)?.routes ?? []
    return { server: serverOf(on), host, routes, ...more }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#local[Symbol.asyncDispose]()
    await this.#backends.stop()
  }
}

/** Like an Ingress's, with this endpoint. */
function backendOf(name: string, port: number, { live }: Model): Backend {
  const [like] = live.backends
  const [endpoint] = like?.endpoints ?? []
  if (like === undefined || endpoint === undefined) throw new Error("There is no backend to go by")
  return { ...like, name, endpoints: [{ ...endpoint, port }] }
}

function inOrder(live: Live): Live {
  return liveOf((kind) => {
    const { nameOf, order } = kinds[kind]
    return live[kind].toSorted((a, b) => order(nameOf(a), nameOf(b)))
  })
}

/** As it is posted. */
export function certificateOf(id: string, { key, der }: Identity): Certificate {
  const text = key.export({ type: "pkcs8", format: "der" }).toString("base64")
  return { id, chain: [der.toString("base64")], key: new SecretText(text) }
}

/** As it is posted. */
export function authorityOf(id: string, { der }: Identity): Authority {
  return { id, certificates: [der.toString("base64")], crls: [] }
}
