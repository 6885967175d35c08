import { accepted, oneOf, refused } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import { type AnnotationParser, trimmed } from "./parse.ts"
import type { MirrorTarget } from "./values.ts"
import { variableText } from "./variables.ts"

/** Variables may only stand where they cannot change the host: otherwise whoever sends a request says where nginx sends the copy. */
const url =
  /^(https?):\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)(:\d{1,5})?(\/.*|\$\{?request_uri\b.*)?$/

/** A URL whose scheme, host and port are spelled out. Without a path the copy has the path and the arguments of the request. */
const target: AnnotationParser<MirrorTarget> = trimmed((text) => {
  const parsed = variableText(text)
  if (parsed.kind === "refused") return parsed
  const [, scheme, host, , port = "", rest = ""] = url.exec(text) ?? []
  if (scheme === undefined || host === undefined)
    return refused("write http:// or https:// and a host, and a path after it if you like")
  if (port !== "" && Number(port.slice(1)) > 65_535) return refused("write a port up to 65535")
  return accepted({ url: `${scheme}://${host}${port}${rest === "" ? "$request_uri" : rest}`, host })
})

const ingress = { place: "mirror", scope: "ingress", since: "0.1.0" } as const

/** Copies of requests, whose answers nobody waits for. */
export const mirrorAnnotations: readonly Annotation[] = [
  { ...ingress, name: "mirror-target", risk: "high", field: "target", parse: target },
  {
    ...ingress,
    name: "mirror-host",
    needs: "mirror-target",
    risk: "high",
    field: "host",
    parse: trimmed(variableText),
  },
  {
    ...ingress,
    name: "mirror-request-body",
    needs: "mirror-target",
    risk: "low",
    field: "body",
    parse: trimmed(oneOf("on", "off")),
  },
]
