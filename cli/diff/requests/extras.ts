import type { Ingress } from "../../../controller/model/objects/ingress.ts"
import type { Subject } from "../../lint/subject.ts"
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

type Annotations = Subject["annotations"]

/** What the annotations of an Ingress give reason to ask, and what is asked of everybody. */
export function extrasFor({ annotations }: { annotations: Annotations; ingress: Ingress }): readonly Extra[] {
  return [
    { method: "HEAD", about: "HEAD" },
    { query: "?wick=diff&a=%20b", about: "arguments" },
    ...corsExtras(annotations),
    ...authExtras(annotations),
    ...canaryExtras(annotations),
    ...listExtras(annotations),
  ]
}

function written(annotations: Annotations, name: string): string {
  return annotations.get(name)?.value.trim() ?? ""
}

const foreignOrigin = `https://${unknownHost}`

function corsExtras(annotations: Annotations): readonly Extra[] {
  if (!isOn(annotations, "enable-cors")) return []
  const [first = "*"] = written(annotations, "cors-allow-origin").split(",")
  const allowed = first.trim() === "*" || first.trim() === "" ? "https://page.test" : first.trim()
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
function authExtras(annotations: Annotations): readonly Extra[] {
  const asks = ["auth-type", "auth-url"].some((name) => written(annotations, name) !== "")
  return asks ? [{ hasCredentials: true, about: "with credentials" }] : []
}

function canaryExtras(annotations: Annotations): readonly Extra[] {
  if (!isOn(annotations, "canary")) return []
  const header = written(annotations, "canary-by-header").toLowerCase()
  const cookie = written(annotations, "canary-by-cookie")
  const [ofPattern] = matching(written(annotations, "canary-by-header-pattern"))
  const chosen = written(annotations, "canary-by-header-value") || ofPattern || "always"
  const words = (to: (word: string) => Readonly<Record<string, string>>, first: string, by: string) =>
    [first, "never"].map((word) => ({ headers: to(word), about: `canary by ${by}: ${word}` }))
  return [
    ...(header === "" ? [] : words((word) => ({ [header]: word }), chosen, "header")),
    ...(cookie === "" ? [] : words((word) => ({ cookie: `${cookie}=${word}` }), "always", "cookie")),
  ]
}

/** Whether a header of the client's decides about lists: where it does not, both answer as without it. */
function listExtras(annotations: Annotations): readonly Extra[] {
  const names = ["allowlist-source-range", "denylist-source-range"]
  return names.flatMap((name) => {
    const [first = ""] = written(annotations, name).split(",")
    const address = first.trim().replace(/\/\d+$/, "")
    if (!/^[0-9a-f:.]+$/i.test(address)) return []
    return [{ headers: { "x-forwarded-for": address }, about: `X-Forwarded-For within ${name}` }]
  })
}

function isOn(annotations: Annotations, name: string): boolean {
  return written(annotations, name).toLowerCase() === "true"
}
