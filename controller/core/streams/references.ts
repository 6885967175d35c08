import type { ConfigMap } from "../../model/objects/config-map.ts"
import type { ObjectKey } from "../../model/objects/object.ts"
import { parseEntry, portsNamedBy } from "./entry.ts"
import { secretsOfEntry } from "./secrets.ts"

/** The Services and Secrets that the entries of a ConfigMap of TCP or UDP services name, whether they exist or not. */
export function referencesInStreams({ data }: ConfigMap): readonly ObjectKey[] {
  return (["tcp", "udp"] as const).flatMap((protocol) =>
    Object.entries(data).flatMap(([key, value]) => {
      const parsed = parseEntry(key, value, protocol)
      if (parsed.kind === "refused") return []
      const services = portsNamedBy(parsed.entry).map(
        ({ namespace, service: name }) => ({ kind: "Service", namespace, name }) as const,
      )
      return [...services, ...secretsOfEntry(parsed.entry).map(secretKey)]
    }),
  )
}

function secretKey(qualified: string): ObjectKey {
  const [namespace = "", name = ""] = qualified.split("/")
  return { kind: "Secret", namespace, name }
}
