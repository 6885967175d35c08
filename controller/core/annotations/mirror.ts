import { accepted, oneOf, refused } from "../options/parser.ts"
import { none, values } from "../options/usage.ts"
import type { Family } from "./entry.ts"
import { type AnnotationParser, trimmed } from "./parse.ts"
import { variableText } from "./variables.ts"

interface MirrorTarget {
  readonly scheme: "http" | "https"
  /** a name in lower case, or an address without brackets */
  readonly host: string
  readonly port: number
  /** template of path and query */
  readonly path: string
  /** as it is written, for messages */
  readonly url: string
}

/** Variables may only stand where they cannot change the host: otherwise the client says where nginx sends the copy. */
const url =
  /^(https?):\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)(:\d{1,5})?(\/.*|\$\{?request_uri\b.*)?$/

const defaultPorts = { http: 80, https: 443 } as const

/** A URL whose scheme, host and port are spelled out. Without a path the copy has the path and the arguments of the request. */
const target: AnnotationParser<MirrorTarget> = trimmed((text) => {
  const parsed = variableText(text)
  if (parsed.kind === "refused") return parsed
  const [, scheme, host, , port = "", rest = ""] = url.exec(text) ?? []
  if ((scheme !== "http" && scheme !== "https") || host === undefined)
    return refused("write http:// or https:// and a host, and a path after it if you like")
  const number = port === "" ? defaultPorts[scheme] : Number(port.slice(1))
  if (number < 1 || number > 65_535) return refused("write a port from 1 to 65535")
  const path = rest === "" ? "$request_uri" : rest
  return accepted({ scheme, host: host.replace(/^\[|\]$/g, "").toLowerCase(), port: number, path, url: text })
})

const ingress = { section: "Mirroring", scope: "ingress", since: "0.1.0" } as const
const setting = {
  ...ingress,
  needs: "mirror-target",
  exampleWith: { annotations: { "mirror-target": "https://shadow.example.com$request_uri" } },
} as const

/** Copies of requests, whose answers nobody waits for. */
export const mirrorAnnotations = {
  target: {
    ...ingress,
    name: "mirror-target",
    parse: target,
    values: "a URL, variables allowed",
    default: none,
    example: "https://shadow.example.com$request_uri",
    description: "every request is sent there too; the response is dropped",
    risk: "high",
  },
  /** template */
  host: {
    ...setting,
    name: "mirror-host",
    parse: trimmed(variableText),
    values: "a host name, variables allowed",
    default: "host of mirror-target",
    example: "shadow.test",
    description: "`Host` of mirrored requests",
    risk: "high",
  },
  body: {
    ...setting,
    name: "mirror-request-body",
    parse: trimmed(oneOf("on", "off")),
    values: values.onOff,
    default: "`on`",
    example: "off",
    description: "whether mirrored requests have the body",
    risk: "low",
  },
} satisfies Family
