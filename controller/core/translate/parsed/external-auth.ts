import type { ExternalAuth } from "../../../model/access.ts"
import type { Policy } from "../../../model/policy.ts"
import type { ObjectName } from "../../../model/problem.ts"
import type { SecretFile } from "../../../model/secret-file.ts"
import type { AuthUrl } from "../../options/external-auth/auth-url.ts"
import { serviceOfHost } from "../../options/external-auth/service.ts"
import type { BackendRef } from "./backend-ref.ts"

/** An authentication service, and where the question is asked for: one object for all paths of an Ingress and a host. */
export interface ParsedExternalAuth {
  readonly ref: BackendRef
  readonly auth: ExternalAuth
  /** the policy that `auth` names, and its files; absent: it is always there */
  readonly tls?: { readonly policy: Policy; readonly files: readonly SecretFile[] }
  /** for Problems: the Ingress or ConfigMap that names it, the field, and what people call that */
  readonly object: ObjectName
  readonly field: string
  readonly asker: string
}

/** Where a service is: a Service of the cluster if there is one of that name, else what DNS says. */
type Location = Pick<AuthUrl, "port"> & {
  readonly host: string
  /** where names of one label are looked for; absent: the host is no name of the cluster's, whatever it looks like */
  readonly namespace?: string
}

/**
 * The backend of an authentication service. Its key holds two colons and its name is its key, so it is no other backend's; no annotation about
 * balancing is for it.
 */
export function authBackendRef({ host, port, namespace }: Location): BackendRef {
  const service = namespace === undefined ? undefined : serviceOfHost(host, namespace)
  const isShort = namespace !== undefined && !host.includes(".") && !host.includes(":")
  const key = `auth:${isShort ? `${namespace}/` : ""}${host}:${port}`
  return {
    key,
    serviceKey: service === undefined ? "" : `${service.namespace}/${service.name}`,
    service: service?.name ?? "",
    port: String(port),
    shortName: key,
    outside: host,
  }
}
