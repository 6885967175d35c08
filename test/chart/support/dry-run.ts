// Asks an API server what it would say to an object, without keeping it.
import { ApiError, type Client } from "../../../harness/cluster/client.ts"
import type { KubernetesObject } from "./helm.ts"

interface Resources {
  readonly resources: readonly {
    readonly name: string
    readonly kind: string
    readonly namespaced: boolean
  }[]
}

export class DryRun {
  readonly #client: Client
  readonly #resources = new Map<string, Promise<Resources>>()
  readonly #namespaces = new Map<string, Promise<unknown>>()

  constructor(client: Client) {
    this.#client = client
  }

  /** Each different object is sent once. @returns what the server refused: why, by what it is about */
  async refused(objects: readonly KubernetesObject[], parallel = 8): Promise<Map<KubernetesObject, string>> {
    const refusals = new Map<KubernetesObject, string>()
    const left = [...new Map(objects.map((object) => [JSON.stringify(object), object])).values()]
    const work = async () => {
      for (let object = left.pop(); object !== undefined; object = left.pop()) {
        const why = await this.#refusal(object)
        if (why !== undefined) refusals.set(object, why)
      }
    }
    await Promise.all(Array.from({ length: parallel }, work))
    return refusals
  }

  async #refusal(object: KubernetesObject): Promise<string | undefined> {
    try {
      await this.#client.send("PATCH", await this.#pathOf(object), {
        query: { dryRun: "All", fieldManager: "test", fieldValidation: "Strict", force: "true" },
        body: object,
        contentType: "application/apply-patch+yaml",
      })
      return undefined
    } catch (error) {
      if (error instanceof ApiError) return error.message
      throw error
    }
  }

  async #pathOf({ apiVersion, kind, metadata: { name, namespace } }: KubernetesObject): Promise<string> {
    const base = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    const { resources } = await this.#asked(base)
    const resource = resources.find((one) => one.kind === kind && !one.name.includes("/"))
    if (resource === undefined) throw new Error(`The API server knows no ${kind} of ${apiVersion}`)
    if (resource.namespaced !== (namespace !== undefined))
      throw new Error(`Namespace of ${kind} ${name}: ${namespace}`)
    if (namespace === undefined) return `${base}/${resource.name}/${name}`
    await this.#namespace(namespace)
    return `${base}/namespaces/${namespace}/${resource.name}/${name}`
  }

  #asked(path: string): Promise<Resources> {
    const known = this.#resources.get(path) ?? (this.#client.send("GET", path) as Promise<Resources>)
    this.#resources.set(path, known)
    return known
  }

  #namespace(name: string): Promise<unknown> {
    const known =
      this.#namespaces.get(name) ??
      this.#client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } })
    this.#namespaces.set(name, known)
    return known
  }
}
