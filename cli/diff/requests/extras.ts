import type { Said } from "../../../controller/core/annotations/said.ts"
import { type AnnotationValues, unusable } from "../../../controller/core/annotations/values.ts"
import { unknownHost } from "./hosts.ts"
import { matching } from "./patterns.ts"

/** Something that is asked for besides a plain GET, once for each host of an Ingress. */
export interface Extra {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
  readonly hasCredentials?: true
  readonly about: string
}

/** What the annotations of an Ingress give reason to ask, and what is asked of everybody. */
export function extrasFor({ annotations, values }: Said): readonly Extra[] {
  return [
    { method: "HEAD", about: "HEAD" },
    { query: "?wick=diff&a=%20b", about: "arguments" },
    ...corsExtras(values),
    ...authExtras(annotations),
    ...canaryExtras(values),
    ...listExtras(values),
  ]
}

const foreignOrigin = `https://${unknownHost}`

function corsExtras({ cors: { isEnabled = false, origins } }: AnnotationValues): readonly Extra[] {
  if (!isEnabled) return []
  const [first = "*"] = origins === unusable ? [] : (origins ?? [])
  const allowed = first === "*" ? "https://page.test" : first
  const preflight = { "access-control-request-method": "GET", "access-control-request-headers": "x-wick" }
  return [
    { origin: allowed.replace("*.", "page."), name: "an allowed origin" },
    { origin: foreignOrigin, name: "a foreign origin" },
  ].flatMap(({ origin, name }) => [
    { method: "OPTIONS", headers: { origin, ...preflight }, about: `CORS preflight of ${name}` },
    { headers: { origin }, about: `CORS request of ${name}` },
  ])
}

/** Without credentials every other request is. */
function authExtras(annotations: Said["annotations"]): readonly Extra[] {
  const asks = annotations.has("auth-type") || annotations.has("auth-url")
  return asks ? [{ hasCredentials: true, about: "with credentials" }] : []
}

function canaryExtras({ canary }: AnnotationValues): readonly Extra[] {
  if (canary.isCanary !== true) return []
  const { header = "", cookie = "", headerValue, headerPattern } = canary
  const name = header.toLowerCase()
  const [ofPattern] = headerPattern === undefined ? [] : matching(headerPattern)
  const chosen = headerValue || ofPattern || "always"
  const words = (to: (word: string) => Readonly<Record<string, string>>, first: string, by: string) =>
    [first, "never"].map((word) => ({ headers: to(word), about: `canary by ${by}: ${word}` }))
  return [
    ...(name === "" ? [] : words((word) => ({ [name]: word }), chosen, "header")),
    ...(cookie === "" ? [] : words((word) => ({ cookie: `${cookie}=${word}` }), "always", "cookie")),
  ]
}

/** Whether a header of the client's decides about lists: where it does not, both answer as without it. */
function listExtras({ access }: AnnotationValues): readonly Extra[] {
  const lists = [
    ["allowlist-source-range", access.allow],
    ["denylist-source-range", access.deny],
  ] as const
  return lists.flatMap(([name, list]) => {
    const [first] = list === undefined || list === unusable ? [] : list.ranges
    if (first === undefined) return []
    const address = first.replace(/\/\d+$/, "")
    return [{ headers: { "x-forwarded-for": address }, about: `X-Forwarded-For within ${name}` }]
  })
}
