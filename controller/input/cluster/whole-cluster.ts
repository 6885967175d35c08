import { statusKinds } from "../../model/object-status.ts"
import type { Kind, ObjectKey } from "../../model/objects/object.ts"
import { parseObject } from "../../model/objects/parse.ts"
import { isRecord, recordOf } from "../../model/objects/reader.ts"
import type { Change } from "../provider/source.ts"
import { type Api, ApiFailure } from "./api.ts"
import { Client } from "./connect/client.ts"
import { openAccess } from "./connect/configuration.ts"
import type { ServiceAddress } from "./connect/service-account.ts"
import { pathOf, pathOfObject, typeOf } from "./kinds.ts"
import { pagesOf } from "./pages.ts"

const listed = ["IngressClass", "Ingress", "Service", "EndpointSlice", "Namespace"] as const

/** Not every cluster has them. */
const gatewayKinds = [...statusKinds, "ReferenceGrant"] as const

export interface ReadOnceOptions {
  /** "" for the Pod's service account */
  readonly kubeconfig: string
  readonly service: ServiceAddress
  /** of this program, as `1.2.3` */
  readonly release: string
}

/** Reads what a cluster has now, without watching anything. Nothing is written. */
export class ClusterReading {
  readonly #client: Client
  readonly #never = new AbortController().signal

  private constructor(client: Client) {
    this.#client = client
  }

  /** @throws Failure when nothing says where the API server is */
  static async open({ kubeconfig, service, release }: ReadOnceOptions): Promise<ClusterReading> {
    const access = await openAccess({ kubeconfig, apiserverHost: "", certificateAuthority: "" }, service)
    return new ClusterReading(new Client({ access, userAgent: `wick/${release}` }))
  }

  close(): void {
    this.#client.close()
  }

  /** All that no Secret or ConfigMap is needed for. @throws ApiFailure */
  async objects(): Promise<readonly Change[]> {
    const lists = await Promise.all([
      ...listed.map((kind) => this.#ofKind(kind)),
      ...gatewayKinds.map((kind) => this.#ofKind(kind).catch(unlessAbsent)),
    ])
    return lists.flat().flatMap(changesOf)
  }

  /** Those that exist. @returns `isWhole` unless some may not be read @throws ApiFailure */
  async named(keys: readonly ObjectKey[]): Promise<{ changes: readonly Change[]; isWhole: boolean }> {
    let isWhole = true
    const changes: Change[] = []
    for (const { kind, ...name } of keys) {
      const object = await this.#get(pathOfObject(kind, name))
      if (object === "forbidden") isWhole = false
      else if (object !== undefined) changes.push(...changesOf({ ...typeOf(kind), ...object }))
    }
    return { changes, isWhole }
  }

  /** Deployments and DaemonSets, as they are written; none of those that may not be listed. */
  async workloads(): Promise<readonly unknown[]> {
    const lists = await Promise.all(
      (["Deployment", "DaemonSet"] as const).map(async (kind) =>
        (await this.#list(`/apis/apps/v1/${kind.toLowerCase()}s`).catch(unlessForbidden)).map((item) => ({
          kind,
          ...item,
        })),
      ),
    )
    return lists.flat()
  }

  async #ofKind(kind: Kind): Promise<readonly object[]> {
    return (await this.#list(pathOf(kind, ""))).map((item) => ({ ...typeOf(kind), ...item }))
  }

  async #list(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const items: Readonly<Record<string, unknown>>[] = []
    const api: Api = this.#client
    for await (const page of pagesOf((query) => api.send({ method: "GET", path, query }, this.#never))) {
      const found = recordOf(page).items
      if (Array.isArray(found)) items.push(...found.filter(isRecord))
    }
    return items
  }

  async #get(path: string): Promise<Readonly<Record<string, unknown>> | "forbidden" | undefined> {
    try {
      const object = await this.#client.send({ method: "GET", path }, this.#never)
      return isRecord(object) ? object : undefined
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 404) return undefined
      if (error instanceof ApiFailure && error.status === 403) return "forbidden"
      throw error
    }
  }
}

function unlessForbidden(error: unknown): readonly never[] {
  if (error instanceof ApiFailure && error.status === 403) return []
  throw error
}

function unlessAbsent(error: unknown): readonly never[] {
  if (error instanceof ApiFailure && error.status === 404) return []
  return unlessForbidden(error)
}

function changesOf(value: unknown): Change[] {
  const parsed = parseObject(value, { origin: "", firstSeenMs: () => 0 })
  const problems: Change = { kind: "problems", origin: JSON.stringify(value), problems: parsed.problems }
  return parsed.kind === "object" ? [{ kind: "set", object: parsed.object }, problems] : [problems]
}
