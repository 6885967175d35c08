import type { Service } from "../../../model/objects/service.ts"
import { shown } from "../../../model/shown.ts"
import type { BackendRef } from "../../declared/backend-ref.ts"
import type { Settings } from "../../options/settings.ts"

// An operator may say in which namespaces the Services are that are asked about requests (auth-namespaces). A Service of type ExternalName is another
// name for one of them, wherever it stands itself.

/** The namespace of the Service that a name of DNS is for, "" for one that search domains decide about; undefined: it is outside of the cluster. */
function namespaceOf(externalName: string): string | undefined {
  const [, namespace = "", type] = externalName.toLowerCase().replace(/\.$/, "").split(".")
  if (type === "svc") return namespace
  const isComplete = type !== undefined || externalName.endsWith(".")
  return isComplete ? undefined : namespace
}

/** Why it may not be asked; undefined: it may. */
export function askedFault(
  { key }: BackendRef,
  { type, externalName }: Pick<Service, "type" | "externalName">,
  { authNamespaces }: Pick<Settings, "authNamespaces">,
): string | undefined {
  if (authNamespaces === undefined || type !== "ExternalName" || !key.startsWith("auth:")) return undefined
  const namespace = namespaceOf(externalName)
  if (namespace === undefined || authNamespaces?.includes(namespace)) return undefined
  return `its externalName ${shown(externalName)} names a Service of namespace ${shown(namespace)}, which the ConfigMap's key "auth-namespaces" does not list; end the name with a dot if it is a host outside of the cluster`
}
