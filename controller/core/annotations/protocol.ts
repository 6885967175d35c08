import type { Protocol } from "../../model/location.ts"
import { accepted, oneOf } from "../options/parser.ts"
import { type Family, fromConfigMap } from "./entry.ts"
import { type AnnotationParser, blankless, trimmed } from "./parse.ts"
import { falseByDefault } from "./syntax.ts"
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
const protocol: AnnotationParser<"http" | Protocol> = trimmed((text) => {
  const parsed = oneOf(...names)(text.toUpperCase() as keyof typeof protocols)
  if (parsed.kind === "value") return accepted(protocols[parsed.value])
  return { ...accepted("http"), remark: `${parsed.reason}; HTTP is used instead` }
})

const location = { section: "Backends", scope: "location", risk: "low", since: "0.1.0" } as const

/** What is spoken to the backend, and what requests say to it. */
export const protocolAnnotations = {
  protocol: {
    ...location,
    name: "backend-protocol",
    parse: protocol,
    values: "`HTTP`, `HTTPS`, `AUTO_HTTP`, `GRPC`, `GRPCS` or `FCGI`",
    default: "`HTTP`",
    example: "HTTPS",
    description: "protocol towards endpoints; `AUTO_HTTP` is that of the client's request",
  },
  httpVersion: {
    ...location,
    section: "Proxying",
    name: "proxy-http-version",
    parse: oneOf("1.0", "1.1"),
    values: "`1.0` or `1.1`",
    default: fromConfigMap,
    example: "1.0",
    description: "HTTP version towards endpoints",
  },
  /** template of the `Host` that the backend sees */
  vhost: {
    ...location,
    name: "upstream-vhost",
    parse: variableText,
    values: "a host name, variables allowed",
    default: "the host of the request",
    example: "internal.example.com",
    description: "`Host` of requests to the backend",
  },
  connection: {
    ...location,
    name: "connection-proxy-header",
    parse: blankless(oneOf("close", "keep-alive")),
    values: "`close` or `keep-alive`",
    default: "`upgrade` for upgrades, else nothing",
    example: "keep-alive",
    description: "`Connection` of requests to the backend",
  },
  /** nginx has no HTTP/2 push any more: true or false, nothing is pushed */
  pushesPreloads: {
    ...location,
    ...falseByDefault,
    name: "http2-push-preload",
    idle: "unneeded",
    description:
      "browsers have dropped server push, and nginx has none any more: `Link` reaches the client, which loads what it needs",
  },
} satisfies Family
