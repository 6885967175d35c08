// A control server in Node that keeps to docs/wire.md as far as the controller uses it: zones as maps, generations, room, refusals.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { keptMs } from "../../../../harness/http.ts"

interface Lists<Thing, Name> {
  readonly set: readonly Thing[]
  readonly remove: readonly Name[]
}

interface PostedChange {
  readonly base: string | null
  readonly generation: string
  readonly backends: Lists<{ readonly name: string }, string>
  readonly address_lists: Lists<{ readonly id: string }, string>
  readonly user_lists: Lists<{ readonly id: string }, string>
  readonly route_parts: Lists<{ readonly id: string; readonly routes: readonly PostedRoute[] }, string>
  readonly routes: Lists<PostedHost, PostedHost>
  readonly certificates: Lists<{ readonly id: string }, string>
  readonly authorities: Lists<{ readonly id: string }, string>
  readonly staples: Lists<{ readonly certificate: string }, string>
  readonly tls_hosts: Lists<{ readonly host: string }, string>
  readonly passthroughs: Lists<{ readonly host: string }, string>
  readonly streams: Lists<{ readonly name: string }, string>
}

interface PostedHost {
  readonly server: string
  readonly host: string
  readonly parts?: readonly string[]
  readonly routes?: readonly PostedRoute[]
}

type PostedPart = PostedChange["route_parts"]["set"][number]

interface PostedRoute {
  readonly path: string
  readonly match: string
  readonly status?: number
  readonly rewrite?: string
}

type List = Exclude<keyof PostedChange, "base" | "generation">
const lists = [
  "backends",
  "address_lists",
  "user_lists",
  "route_parts",
  "routes",
  "certificates",
  "staples",
  "authorities",
  "tls_hosts",
  "passthroughs",
  "streams",
] as const

export class FakeControl implements AsyncDisposable {
  /** by list, what is in force under each name; hosts are called `server/host` */
  readonly zones: Readonly<Record<List, Map<string, unknown>>> = {
    backends: new Map(),
    address_lists: new Map(),
    user_lists: new Map(),
    route_parts: new Map(),
    routes: new Map(),
    certificates: new Map(),
    staples: new Map(),
    authorities: new Map(),
    tls_hosts: new Map(),
    passthroughs: new Map(),
    streams: new Map(),
  }
  readonly #dir = mkdtempSync(join(tmpdir(), "wick-control-"))
  readonly socketPath = join(this.#dir, "control.sock")
  readonly #server: Server
  generation: string | null = null
  /** every body that was posted */
  readonly posted: PostedChange[] = []
  /** names of things that are refused with 400 */
  readonly refuses = new Set<string>()
  /** most records of one list; more is 507 */
  room = Number.POSITIVE_INFINITY
  /** paths of routes that are refused with 400 */
  readonly refusesPaths = new Set<string>()
  /** routes with this template are refused with 400 */
  readonly badRewrite = "/bad"
  /** parts that hosts in force named and that were not there */
  readonly missing: string[] = []
  /** connections that were made so far */
  connections = 0
  /** the next so many posts take effect, and their connection breaks before the answer */
  breaks = 0

  constructor() {
    this.#server = createServer({ keepAliveTimeout: keptMs }, async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { status, body } = this.#answer(
        `${request.method} ${request.url}`,
        Buffer.concat(chunks).toString(),
      )
      if (request.method === "POST" && this.breaks > 0) {
        this.breaks -= 1
        request.socket.destroy()
      } else response.writeHead(status).end(JSON.stringify(body))
    })
  }

  async listen(): Promise<this> {
    this.#server.on("connection", () => {
      this.connections += 1
    })
    await new Promise<void>((resolve) => this.#server.listen(this.socketPath, resolve))
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    rmSync(this.#dir, { recursive: true })
  }

  /** Of a host in force, called `server/host`: its own, then those of its parts. */
  routesOf(name: string): readonly PostedRoute[] {
    const { parts = [], routes = [] } = this.zones.routes.get(name) as PostedHost
    const inParts = parts.map((id) => this.zones.route_parts.get(id) as PostedPart)
    return [...routes, ...inParts.flatMap((part) => part.routes)]
  }

  #answer(request: string, text: string): { status: number; body: object } {
    if (request.startsWith("GET /configuration/names?")) return { status: 200, body: this.#names(request) }
    if (request === "POST /configuration/changes") return this.#post(JSON.parse(text))
    return { status: 404, body: {} }
  }

  /** Each list is a part of its own. */
  #names(request: string) {
    const at = Number(/&cursor=(\d+)$/.exec(request)?.[1] ?? 0)
    const list = lists[at] ?? "backends"
    const names = [...this.zones[list].keys()]
    const empty = Object.fromEntries(lists.map((other) => [other, []]))
    const next = at + 1 < lists.length ? String(at + 1) : null
    return {
      ...empty,
      generation: this.generation,
      [list]: list === "routes" ? names.map(placeOf) : names,
      next,
    }
  }

  #post(posted: Partial<PostedChange>): { status: number; body: object } {
    const change = { ...noLists, ...posted } as PostedChange
    this.posted.push(change)
    if (change.base !== null && change.base !== this.generation) {
      return { status: 409, body: { error: "another base", generation: this.generation } }
    }
    const names = lists.map((list) => ({ list, set: change[list].set.map(nameOf) }))
    const bad = names.flatMap(({ set }) => set).find((name) => this.refuses.has(lastOf(name)))
    if (bad !== undefined) return { status: 400, body: { error: `${lastOf(bad)} is bad`, offset: 0 } }
    const badRoute = [...change.route_parts.set, ...change.routes.set]
      .flatMap(({ routes = [] }) => routes)
      .find(({ path, rewrite }) => this.refusesPaths.has(path) || rewrite === this.badRewrite)
    if (badRoute !== undefined)
      return { status: 400, body: { error: `the route ${badRoute.path} is bad`, offset: 0 } }
    if (names.some(({ list, set }) => isOver(this.zones[list], set, this.room)))
      return { status: 507, body: { error: "the zone is full" } }
    for (const list of lists) this.#apply(list, change[list])
    this.missing.push(...this.#missing())
    this.generation = change.generation
    return { status: 201, body: { generation: change.generation } }
  }

  #missing(): string[] {
    const hosts = [...this.zones.routes.values()] as PostedHost[]
    return hosts.flatMap(({ parts = [] }) => parts).filter((id) => !this.zones.route_parts.has(id))
  }

  #apply(list: List, { set, remove }: Lists<Named, Named>): void {
    for (const thing of set) this.zones[list].set(nameOf(thing), thing)
    for (const name of remove) this.zones[list].delete(nameOf(name))
  }
}

/** Whatever names a thing of one of the lists. */
type Named = string | { id?: string; name?: string; certificate?: string; server?: string; host?: string }

const noLists = Object.fromEntries(lists.map((list) => [list, { set: [], remove: [] }]))

function isOver(zone: ReadonlyMap<string, unknown>, names: readonly string[], room: number): boolean {
  return new Set([...zone.keys(), ...names]).size > room && names.some((name) => !zone.has(name))
}

function nameOf(thing: Named): string {
  if (typeof thing === "string") return thing
  const { id, name, certificate, server, host } = thing
  return id ?? name ?? certificate ?? (server === undefined ? `${host}` : `${server}/${host}`)
}

function placeOf(name: string): PostedHost {
  const [server = "", host = ""] = name.split("/")
  return { server, host }
}

function lastOf(name: string): string {
  return name.split("/").at(-1) ?? name
}
