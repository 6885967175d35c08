import { noCapabilities } from "../../model/capabilities.ts"
import type { ConfigMap } from "../../model/objects/config-map.ts"
import type { ObjectKey } from "../../model/objects/object.ts"
import { defaultSettings, parseSettings } from "./configmap.ts"
import { serviceOfHost } from "./external-auth/service.ts"
import type { Settings } from "./settings.ts"

/** The objects that the values of the global settings name, whether they exist or not: those that reading the settings asks for. */
export function referencesInSettings(configMap: ConfigMap): readonly ObjectKey[] {
  const asked: ObjectKey[] = []
  const note = (kind: "ConfigMap" | "Secret") => (name: string) => {
    const [namespace = "", short = ""] = name.split("/")
    asked.push({ kind, namespace, name: short })
    return undefined
  }
  const { settings } = parseSettings(configMap, defaultSettings, {
    configMap: note("ConfigMap"),
    secret: note("Secret"),
    capabilities: noCapabilities,
  })
  return [...asked, ...askedServices(settings, configMap.meta.namespace)]
}

/** The Service that may be meant by the host of the authentication service. */
function askedServices({ globalAuthUrl }: Settings, namespace: string): readonly ObjectKey[] {
  if (globalAuthUrl?.host.kind !== "name") return []
  const service = serviceOfHost(globalAuthUrl.host.text, namespace)
  return service === undefined ? [] : [{ kind: "Service", ...service }]
}
