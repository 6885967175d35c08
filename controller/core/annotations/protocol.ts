import { accepted, boolean, oneOf } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import { type AnnotationParser, blankless, trimmed } from "./parse.ts"
import type { ProtocolValues } from "./values.ts"
import { variableText } from "./variables.ts"

const protocols = {
  HTTP: "http",
  HTTPS: "https",
  AUTO_HTTP: "auto",
  GRPC: "grpc",
  GRPCS: "grpcs",
  FCGI: "fastcgi",
} as const

const names = Object.keys(protocols) as (keyof typeof protocols)[]

/** What is unknown is HTTP, as for ingress-nginx. */
const protocol: AnnotationParser<NonNullable<ProtocolValues["protocol"]>> = trimmed((text) => {
  const parsed = oneOf(...names)(text.toUpperCase() as keyof typeof protocols)
  if (parsed.kind === "value") return accepted(protocols[parsed.value])
  return { ...accepted("http"), remark: `${parsed.reason}; HTTP is used instead` }
})

const location = { place: "protocol", scope: "location", since: "0.1.0" } as const

/** What is spoken to the backend, and what requests say to it. */
export const protocolAnnotations: readonly Annotation[] = [
  { ...location, name: "backend-protocol", risk: "low", field: "protocol", parse: protocol },
  {
    ...location,
    name: "proxy-http-version",
    risk: "low",
    field: "httpVersion",
    parse: oneOf("1.0", "1.1"),
  },
  { ...location, name: "upstream-vhost", risk: "low", field: "vhost", parse: variableText },
  {
    ...location,
    name: "connection-proxy-header",
    risk: "low",
    field: "connection",
    parse: blankless(oneOf("close", "keep-alive")),
  },
  // nginx has no HTTP/2 push any more: true or false, nothing is pushed.
  {
    ...location,
    name: "http2-push-preload",
    risk: "low",
    field: "pushesPreloads",
    parse: boolean,
  },
]
