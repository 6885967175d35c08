// What was asked of the API server, as its audit log tells.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ApiServer, startApiServer } from "./api-server.ts"

/** One request about objects. */
export interface Asked {
  readonly user: string
  readonly verb: string
  /** "" is the core group */
  readonly group: string
  /** as RBAC writes it: `ingresses`, `ingresses/status` */
  readonly resource: string
  /** "" where it is about none, or about all */
  readonly namespace: string
  readonly name: string
  /** of the answer */
  readonly status: number
  /** what was sent to the status of an Ingress */
  readonly body: unknown
}

interface AuditEvent {
  readonly stage: string
  readonly verb: string
  readonly user: { readonly username: string }
  readonly objectRef?: {
    readonly apiGroup?: string
    readonly resource: string
    readonly subresource?: string
    readonly namespace?: string
    readonly name?: string
  }
  readonly responseStatus?: { readonly code?: number }
  readonly requestObject?: unknown
}

/** What ServiceAccounts ask. Of a watch both is told, that it has begun and that it has ended: the first is enough. */
const policy = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Request
    userGroups: ["system:serviceaccounts"]
    resources: [{ group: networking.k8s.io, resources: [ingresses/status] }]
  - level: Metadata
    userGroups: ["system:serviceaccounts"]
  - level: None
`

/** An API server that keeps an audit log. */
export class AuditedServer implements AsyncDisposable {
  readonly server: ApiServer
  readonly #dir: string

  private constructor(server: ApiServer, dir: string) {
    this.server = server
    this.#dir = dir
  }

  static async start(...flags: readonly string[]): Promise<AuditedServer> {
    const dir = mkdtempSync(join(tmpdir(), "wick-audit-"))
    writeFileSync(join(dir, "policy.yaml"), policy)
    const server = await startApiServer(
      `--audit-policy-file=${join(dir, "policy.yaml")}`,
      `--audit-log-path=${join(dir, "audit.log")}`,
      ...flags,
    )
    return new AuditedServer(server, dir)
  }

  /** In the order in which they were answered. */
  asked(user: string): Asked[] {
    return readFileSync(join(this.#dir, "audit.log"), "utf8")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : askedIn(JSON.parse(line) as AuditEvent)))
      .filter((asked) => asked.user === user)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop()
    rmSync(this.#dir, { recursive: true, force: true })
  }
}

function askedIn({ stage, verb, user, objectRef, responseStatus, requestObject }: AuditEvent): Asked[] {
  const isEndOfWatch = verb === "watch" && stage === "ResponseComplete" && responseStatus?.code === 200
  if (objectRef === undefined || isEndOfWatch) return []
  const { apiGroup: group = "", resource, subresource, namespace = "", name = "" } = objectRef
  return [
    {
      user: user.username,
      verb,
      group,
      resource: subresource === undefined ? resource : `${resource}/${subresource}`,
      namespace,
      name,
      status: responseStatus?.code ?? 0,
      body: requestObject,
    },
  ]
}
