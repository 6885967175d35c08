import { Client } from "../../controller/input/cluster/connect/client.ts"
import { openAccess } from "../../controller/input/cluster/connect/configuration.ts"
import { until } from "../../harness/until.ts"

interface Versioned {
  readonly metadata: { readonly resourceVersion: string }
}

/** @param atMs as `performance.now()` has it */
type Each = (object: Versioned, atMs: number) => void

/** When the API server's events came to another client than wick: what lies before is not wick's. */
export class SeenVersions implements AsyncDisposable {
  readonly #client: Client
  readonly #stop = new AbortController()
  readonly #seenMs = new Map<string, number>()
  readonly #each: Each
  #watched: Promise<void> | undefined

  private constructor(client: Client, each: Each) {
    this.#client = client
    this.#each = each
  }

  /** Begins to watch. @param path of the objects of a kind @param each is told every object that comes */
  static async of(kubeconfig: string, path: string, each: Each = () => {}): Promise<SeenVersions> {
    const options = { kubeconfig, apiserverHost: "", certificateAuthority: "" }
    const access = await openAccess(options, { host: "", port: "" })
    const seen = new SeenVersions(new Client({ access, userAgent: "bench" }), each)
    await new Promise<void>((begun) => {
      seen.#watched = seen.#follow(path, begun)
    })
    return seen
  }

  /** When the event of a version came, as `performance.now()` has it. */
  at(version: string): Promise<number> {
    return until("the event", () => this.#seenMs.get(version))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#watched
    this.#client.close()
  }

  async #follow(path: string, begun: () => void): Promise<void> {
    const request = { method: "GET", path, query: { watch: "true", timeoutSeconds: "3600" } } as const
    const { signal } = this.#stop
    try {
      for await (const lines of this.#client.watch(request, signal)) {
        begun()
        for (const line of lines) this.#note((line as { object: Versioned }).object, performance.now())
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  #note(object: Versioned, atMs: number): void {
    this.#seenMs.set(object.metadata.resourceVersion, atMs)
    this.#each(object, atMs)
  }
}
