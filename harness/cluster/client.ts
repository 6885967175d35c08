// A client of the API server for tests: says what it wants and throws what it is refused. Nothing is tried twice.
import { Agent, request as start } from "node:https"
import { type Document, parseAllDocuments } from "yaml"
import type { Json } from "../manifests.ts"
import { patienceMs } from "../until.ts"

/** How the server is reached, and as whom. */
export interface Login {
  readonly port: number
  /** PEM */
  readonly ca: string
  /** a certificate with its key, PEM; or a token */
  readonly cert?: string
  readonly key?: string
  readonly token?: string
}

/** An object as the API server tells it; anything may be missing but its name. */
export interface ApiObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Metadata
  // biome-ignore lint/suspicious/noExplicitAny: tests know the shape of what they wrote
  readonly [field: string]: any
}

interface Metadata {
  readonly name: string
  readonly namespace?: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation?: number
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly managedFields?: readonly { readonly manager: string; readonly operation: string }[]
}

/** An answer other than 2xx. */
export class ApiError extends Error {
  readonly status: number
  /** as `Forbidden`, `Expired` */
  readonly reason: string

  constructor(asked: string, status: number, { message, reason }: { message?: string; reason?: string }) {
    super(`${asked}: ${status} ${message ?? ""}`)
    this.status = status
    this.reason = reason ?? ""
  }
}

export interface Asked {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly contentType?: string
}

/** What is not in the core group. */
const groups: Readonly<Record<string, string>> = {
  BackendTLSPolicy: "gateway.networking.k8s.io/v1",
  Gateway: "gateway.networking.k8s.io/v1",
  GatewayClass: "gateway.networking.k8s.io/v1",
  GRPCRoute: "gateway.networking.k8s.io/v1",
  HTTPRoute: "gateway.networking.k8s.io/v1",
  ListenerSet: "gateway.networking.k8s.io/v1",
  TCPRoute: "gateway.networking.k8s.io/v1",
  TLSRoute: "gateway.networking.k8s.io/v1",
  UDPRoute: "gateway.networking.k8s.io/v1",
  ClusterRole: "rbac.authorization.k8s.io/v1",
  ClusterRoleBinding: "rbac.authorization.k8s.io/v1",
  CustomResourceDefinition: "apiextensions.k8s.io/v1",
  Deployment: "apps/v1",
  EndpointSlice: "discovery.k8s.io/v1",
  Ingress: "networking.k8s.io/v1",
  IngressClass: "networking.k8s.io/v1",
  Job: "batch/v1",
  Lease: "coordination.k8s.io/v1",
  ReplicaSet: "apps/v1",
  Role: "rbac.authorization.k8s.io/v1",
  RoleBinding: "rbac.authorization.k8s.io/v1",
  ValidatingAdmissionPolicy: "admissionregistration.k8s.io/v1",
  ValidatingAdmissionPolicyBinding: "admissionregistration.k8s.io/v1",
  ValidatingWebhookConfiguration: "admissionregistration.k8s.io/v1",
}

/** kube-apiserver closes idle connections after 90 s: none is kept that long, or a request would go into one that is being closed. */
const connections = () => new Agent({ keepAlive: true, timeout: 30_000 })

/** Objects are named `namespace/name`, those of the whole cluster `name`. */
export class Client {
  readonly #login: Login
  #agent = connections()

  constructor(login: Login) {
    this.#login = login
  }

  /** Makes each object what is written here, as `kubectl apply --server-side`: objects, or YAML with one document for each. */
  async apply(...objects: readonly (Json | string)[]): Promise<ApiObject[]> {
    const applied: ApiObject[] = []
    for (const object of objects.flatMap(documentsOf)) applied.push(await this.#applyOne(object))
    return applied
  }

  /** Undefined when there is none. */
  async get(kind: string, name: string): Promise<ApiObject | undefined> {
    try {
      return (await this.send("GET", pathOf(kind, name))) as ApiObject
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined
      throw error
    }
  }

  /** @param namespace all of them without */
  async list(
    kind: string,
    namespace = "",
    query: Readonly<Record<string, string>> = {},
  ): Promise<ApiObject[]> {
    const { items } = (await this.send("GET", pathOf(kind, `${namespace}/`), { query })) as {
      items: ApiObject[]
    }
    return items
  }

  async delete(kind: string, name: string): Promise<void> {
    await this.send("DELETE", pathOf(kind, name))
  }

  /** Changes single fields; null removes one. @param part `status`, for instance */
  patch(kind: string, name: string, fields: Json, part = ""): Promise<unknown> {
    const path = `${pathOf(kind, name)}${part === "" ? "" : `/${part}`}`
    return this.send("PATCH", path, { body: fields, contentType: "application/merge-patch+json" })
  }

  /** @returns the answer's JSON, or its text when it is none. @throws ApiError */
  async send(method: string, path: string, { query, body, contentType }: Asked = {}): Promise<unknown> {
    const asked = `${path}${query === undefined ? "" : `?${new URLSearchParams(query)}`}`
    const { status, text } = await this.#exchange(method, asked, contentType, body)
    const answer = parsed(text)
    if (status >= 200 && status < 300) return answer
    throw new ApiError(
      `${method} ${asked}`,
      status,
      typeof answer === "object" ? (answer ?? {}) : { message: text },
    )
  }

  /** Leaves the connections that are open: the server at their other end is gone. */
  reconnect(): void {
    this.#agent.destroy()
    this.#agent = connections()
  }

  #applyOne(object: Json): Promise<ApiObject> {
    const { kind, metadata } = object as unknown as ApiObject
    const name = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`
    return this.send("PATCH", pathOf(kind, name), {
      query: { fieldManager: "test", force: "true" },
      body: object,
      contentType: "application/apply-patch+yaml",
    }) as Promise<ApiObject>
  }

  #exchange(method: string, path: string, contentType = "application/json", body?: unknown) {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
    const { token, ...tls } = this.#login
    const text = body === undefined ? "" : JSON.stringify(body)
    const request = start({
      ...tls,
      host: "127.0.0.1",
      agent: this.#agent,
      method,
      path,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        // Node says it for no DELETE by itself, whose body would then be taken for the next request.
        ...(text !== "" && { "content-type": contentType, "content-length": Buffer.byteLength(text) }),
      },
      timeout: patienceMs,
    })
    request.on("timeout", () => request.destroy(new Error(`No answer to ${method} ${path} in time`)))
    request.on("error", reject)
    request.on("response", (response) => {
      const pieces: Buffer[] = []
      response.on("data", (piece: Buffer) => pieces.push(piece))
      response.on("error", reject)
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() }),
      )
    })
    request.end(text)
    return promise
  }
}

function documentsOf(object: Json | string): Json[] {
  if (typeof object !== "string") return [object]
  const documents: readonly Document[] = parseAllDocuments(object)
  return documents.map((document) => document.toJS() as Json | null).filter((value) => value !== null)
}

/** `pathOf("Ingress", "shop/cart")`; with an empty name the path of all, with an empty namespace of all namespaces. */
export function pathOf(kind: string, name: string): string {
  const version = groups[kind] ?? "v1"
  const plural = pluralOf(kind.toLowerCase())
  const [last = "", namespace = ""] = name.split("/").reverse()
  const scope = namespace === "" ? "" : `/namespaces/${namespace}`
  return `/${version === "v1" ? "api" : "apis"}/${version}${scope}/${plural}${last === "" ? "" : `/${last}`}`
}

function pluralOf(kind: string): string {
  if (kind.endsWith("s")) return `${kind}es`
  return kind.endsWith("cy") ? `${kind.slice(0, -1)}ies` : `${kind}s`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
