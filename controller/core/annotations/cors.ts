import { shown } from "../../model/shown.ts"
import { accepted, refused } from "../options/parser.ts"
import { maxTextBytes } from "../options/text-sizes.ts"
import { none } from "../options/usage.ts"
import type { Family } from "./entry.ts"
import { type AnnotationParser, trimmed } from "./parse.ts"
import { anySeconds, falseByDefault, trueOrFalse } from "./syntax.ts"

const wanted = "write a scheme and a host, as in https://shop.test or https://*.shop.test:8443"

/**
 * `*` alone, or origins in lower case, each once and in order. Items that are none are left out, with a remark. Characters as in ingress-nginx.
 */
const origins: AnnotationParser<readonly string[]> = (text) => {
  const items = text.split(",").map((item) => item.trim().toLowerCase())
  const all = [...new Set(items.filter((item) => item !== ""))].sort()
  if (all.length === 0 || all.includes("*")) return accepted(["*"])
  const good = all.filter((item) => item === "null" || isOrigin(item))
  if (good.length === all.length) return accepted(good)
  const bad = all.filter((item) => !good.includes(item))
  if (good.length === 0) return refused(wanted)
  return { ...accepted(good), remark: `${bad.map(shown).join(", ")} left out: ${wanted}` }
}

function isOrigin(item: string): boolean {
  return item.length <= maxTextBytes && /^[a-z]+:\/\/(\*\.)?[a-z0-9\-.]+(:\d+)?$/.test(item)
}

// Commas and blanks as in ingress-nginx: one of each at most.
const methods = value(/^[A-Za-z]+(?:(?:, ?| )[A-Za-z]+)*(?:, ?)?$/, "methods separated by commas")
const headers = value(/^[A-Za-z0-9\-_, ]+$/, "names of headers separated by commas; * is none here")
const exposed = value(/^[\w*-]+(?:(?:, ?| )[\w*-]+)*(?:, ?)?$/, "names of headers separated by commas, or *")

function value(allowed: RegExp, what: string): AnnotationParser<string> {
  return trimmed((text) =>
    text.length <= maxTextBytes && allowed.test(text) ? accepted(text) : refused(`write ${what}`),
  )
}

const family = { section: "CORS", scope: "ingress", since: "0.1.0" } as const
const low = { ...family, risk: "low" } as const
const setting = {
  ...family,
  risk: "medium",
  needs: "enable-cors",
  exampleWith: { annotations: { "enable-cors": "true" } },
} as const

/** Source: ingress-nginx. */
export const corsDefaults = {
  methods: "GET, PUT, POST, DELETE, PATCH, OPTIONS",
  headers:
    "DNT,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,Authorization",
  maxAgeSeconds: 1_728_000,
} as const

/** What pages of other origins may do. */
export const corsAnnotations = {
  isEnabled: {
    ...falseByDefault,
    ...low,
    name: "enable-cors",
    description:
      "responses say what pages of other origins may do (CORS); `OPTIONS` requests from allowed origins are answered 204 and do not reach the backend",
  },
  origins: {
    ...setting,
    name: "cors-allow-origin",
    parse: origins,
    values:
      "origins separated by commas, `*` for all; `https://*.shop.test` stands for one label, and a port has to be equal",
    default: "`*`",
    whenRefused: "no origin is allowed",
    example: "https://shop.test, https://*.shop.test:8443",
    description: "origins whose pages may read the responses",
  },
  methods: {
    ...setting,
    name: "cors-allow-methods",
    parse: methods,
    values: "methods separated by commas",
    default: `\`${corsDefaults.methods}\``,
    example: "GET, POST",
    description: "value of `Access-Control-Allow-Methods`; requests with other methods are not refused",
  },
  headers: {
    ...setting,
    name: "cors-allow-headers",
    parse: headers,
    values: "names of headers separated by commas",
    default: `\`${corsDefaults.headers}\``,
    example: "X-Requested-With, Content-Type",
    description: "value of `Access-Control-Allow-Headers`",
  },
  allowsCredentials: {
    ...trueOrFalse,
    ...setting,
    risk: "low",
    name: "cors-allow-credentials",
    default: "`true`",
    whenRefused: "no credentials are allowed",
    example: "false",
    description:
      "`Access-Control-Allow-Credentials: true` is sent; browsers do not honour it together with `*`",
  },
  exposedHeaders: {
    ...setting,
    name: "cors-expose-headers",
    parse: exposed,
    values: "names of headers separated by commas, or `*`",
    default: none,
    example: "X-Total-Count",
    description: "value of `Access-Control-Expose-Headers`",
  },
  maxAgeSeconds: {
    ...anySeconds,
    ...setting,
    risk: "low",
    name: "cors-max-age",
    default: `\`${corsDefaults.maxAgeSeconds}\``,
    example: "600",
    description: "value of `Access-Control-Max-Age`: how long a browser may go by the answer to a preflight",
  },
} satisfies Family
