import type { Outcome } from "./outcome.ts"

// Which steps of a snippet nginx has gone through for a request that somebody asks about: a header of the answer says so (docs/ingress-module.md).

/** What nginx has made of the steps of a host or a route. */
export interface StepsRun {
  /** places of the `if`s that hold, among the steps */
  readonly held: readonly number[]
  readonly end: End
}

type End =
  /** the request goes on as it came */
  | { readonly kind: "done" }
  /** with this path and these arguments: to its route, to its route without further steps, or to the one that they lead to */
  | { readonly kind: "moved" | "stopped" | "again"; readonly target: string }
  | { readonly kind: "return" | "redirect"; readonly status: number; readonly text: string }

/** `HELD END`, in which texts are escaped. */
export function stepsRunIn(header: string | readonly string[] | undefined): StepsRun | undefined {
  const [, held = "", kind, rest = ""] = /^([-\d,]+) (\w+) ?(.*)$/s.exec(String(header ?? "")) ?? []
  const end = endOf(kind, rest)
  return end && { held: held === "-" ? [] : held.split(",").map(Number), end }
}

function endOf(kind: string | undefined, rest: string): End | undefined {
  switch (kind) {
    case "done":
      return { kind }
    case "moved":
    case "stopped":
    case "again":
      return { kind, target: rest }
    case "return":
    case "redirect": {
      const [, status, text = ""] = /^(\d+) ?(.*)$/s.exec(rest) ?? []
      return { kind, status: Number(status), text }
    }
    default:
      return undefined
  }
}

/** Codes with which `return` has an address. Source: nginx, ngx_http_send_response. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** What the client gets that no backend is asked for; undefined: the steps do not answer. */
export function answerOf({ end }: StepsRun): Outcome | undefined {
  if (end.kind === "redirect") return { kind: "redirected", status: end.status, location: end.text }
  if (end.kind !== "return") return undefined
  return redirects.has(end.status) && end.text !== ""
    ? { kind: "redirected", status: end.status, location: end.text }
    : { kind: "answered", status: end.status }
}

/** Where they lead, in a line; undefined: on as the request came, or to an answer. */
export function leadsTo({ end }: StepsRun): string | undefined {
  switch (end.kind) {
    case "moved":
      return `the path is ${end.target} then`
    case "stopped":
      return `stops here, with ${end.target}`
    case "again":
      return `leads to ${end.target}, which may be another route's`
    default:
      return undefined
  }
}
