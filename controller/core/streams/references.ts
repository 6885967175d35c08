import type { ConfigMap } from "../../model/objects/config-map.ts"
import type { ObjectKey } from "../../model/objects/object.ts"
import { parseEntry } from "./entry.ts"

/** The Services that the entries of a ConfigMap of TCP or UDP services name, whether they exist or not. */
export function referencesInStreams({ data }: ConfigMap): readonly ObjectKey[] {
  return (["tcp", "udp"] as const).flatMap((protocol) =>
    Object.entries(data).flatMap(([key, value]) => {
      const parsed = parseEntry(key, value, protocol)
      if (parsed.kind === "refused") return []
      const { namespace, service: name } = parsed.entry
      return [{ kind: "Service", namespace, name } as const]
    }),
  )
}
