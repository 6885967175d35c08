// A control server in Node that keeps to docs/wire.md as far as the controller uses it: zones as maps, generations, room, refusals.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"

interface PostedChange {
  readonly base: string | null
  readonly generation: string
  readonly backends: { readonly set: readonly { name: string }[]; readonly remove: readonly string[] }
  readonly routes: { readonly set: readonly PostedHost[]; readonly remove: readonly PostedHost[] }
}

interface PostedHost {
  readonly server: string
  readonly host: string
}

export class FakeControl implements AsyncDisposable {
  readonly backends = new Map<string, unknown>()
  readonly routes = new Map<string, unknown>()
  readonly #dir = mkdtempSync(join(tmpdir(), "wick-control-"))
  readonly socketPath = join(this.#dir, "control.sock")
  readonly #server: Server
  generation: string | null = null
  /** every body that was posted */
  readonly posted: PostedChange[] = []
  /** names of backends and hosts that are refused with 400 */
  readonly refuses = new Set<string>()
  /** most records of one zone; more is 507 */
  room = Number.POSITIVE_INFINITY
  /** connections that were made so far */
  connections = 0
  /** the next so many posts take effect, and their connection breaks before the answer */
  breaks = 0

  constructor() {
    this.#server = createServer(async (request, response) => {
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

  #answer(request: string, text: string): { status: number; body: object } {
    if (request.startsWith("GET /configuration/names?")) return { status: 200, body: this.#names(request) }
    if (request === "POST /configuration/changes") return this.#post(JSON.parse(text))
    return { status: 404, body: {} }
  }

  /** In two parts: the backends, then the routes. */
  #names(request: string) {
    const { generation } = this
    if (!request.endsWith("&cursor=r0"))
      return { generation, backends: [...this.backends.keys()], routes: [], next: "r0" }
    const routes = [...this.routes.keys()].map((key) => {
      const [server, host] = key.split("/")
      return { server, host }
    })
    return { generation, backends: [], routes, next: null }
  }

  #post(change: PostedChange): { status: number; body: object } {
    this.posted.push(change)
    if (change.base !== null && change.base !== this.generation) {
      return { status: 409, body: { error: "another base", generation: this.generation } }
    }
    const names = [
      ...change.backends.set.map(({ name }) => name),
      ...change.routes.set.map(({ host }) => host),
    ]
    const bad = names.find((name) => this.refuses.has(name))
    if (bad !== undefined) return { status: 400, body: { error: `${bad} is bad`, offset: 0 } }
    const isFull =
      isOver(
        this.backends,
        change.backends.set.map(({ name }) => name),
        this.room,
      ) || isOver(this.routes, change.routes.set.map(keyOf), this.room)
    if (isFull) return { status: 507, body: { error: "the zone is full" } }
    this.#apply(change)
    return { status: 201, body: { generation: change.generation } }
  }

  #apply({ backends, routes, generation }: PostedChange): void {
    for (const backend of backends.set) this.backends.set(backend.name, backend)
    for (const host of routes.set) this.routes.set(keyOf(host), host)
    for (const host of routes.remove) this.routes.delete(keyOf(host))
    for (const name of backends.remove) this.backends.delete(name)
    this.generation = generation
  }
}

function isOver(zone: ReadonlyMap<string, unknown>, names: readonly string[], room: number): boolean {
  return new Set([...zone.keys(), ...names]).size > room && names.some((name) => !zone.has(name))
}

function keyOf({ server, host }: PostedHost): string {
  return `${server}/${host}`
}
