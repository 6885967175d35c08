import { isIP } from "node:net"
import { type EndpointRules, judgeEndpoint } from "../../support/judge-endpoint.ts"

// A URL in a certificate is written by the author of the Secret: it must not lead to what an endpoint could not be either.

/** Where a request goes. */
export interface Target {
  /** IP address, or a name whose addresses are yet to be judged */
  readonly host: string
  readonly port: number
  /** with its query */
  readonly path: string
  /** the header `Host` */
  readonly authority: string
}

export type TargetVerdict =
  | { readonly kind: "usable"; readonly target: Target }
  | { readonly kind: "refused"; readonly reason: string }

const maxCharacters = 2048

/** Takes a URL apart. Reasons fit after a colon. */
export function targetOf(text: string): TargetVerdict {
  const url = text.length <= maxCharacters && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return refused("the URL in the certificate is none")
  if (url.protocol !== "http:")
    return refused("only URLs with http:// are asked, as is usual for certificates")
  if (url.username !== "" || url.password !== "") return refused("its URL bears a user or a password")
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const port = url.port === "" ? 80 : Number(url.port)
  const path = `${url.pathname}${url.search}`
  return { kind: "usable", target: { host, port, path, authority: url.host } }
}

/** Of what a host's addresses are, one that may be connected to; or why none may. */
export function usableAddress(
  addresses: readonly string[],
  port: number,
  rules: EndpointRules,
): { readonly address: string } | { readonly reason: string } {
  let reason = "it has no address"
  for (const text of addresses) {
    const verdict = judgeEndpoint(text, port, rules)
    if (verdict.kind === "usable") return { address: verdict.address }
    reason = verdict.reason
  }
  return { reason }
}

export function isAddress(host: string): boolean {
  return isIP(host) !== 0
}

function refused(reason: string): TargetVerdict {
  return { kind: "refused", reason }
}
