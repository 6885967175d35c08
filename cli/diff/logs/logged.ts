import type { Scheme } from "../requests/request.ts"

/** A request as a log has it; what the log does not say is absent. */
export interface Logged {
  readonly method: string
  /** path and arguments */
  readonly target: string
  /** lower-case, without port */
  readonly host?: string
  readonly scheme?: Scheme
  /** ingress-nginx's name of the backend, `namespace-service-port` */
  readonly backend?: string
  /** names in lower case */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A request line's target, or a whole URL. @returns undefined when it is neither */
export function placeOf(text: string): Pick<Logged, "target" | "host" | "scheme"> | undefined {
  if (text.startsWith("/")) return { target: text.replace(/#.*/s, "") }
  const [, scheme = "", authority = "", rest = ""] = /^(https?):\/\/([^/?#\s]+)([^#\s]*)/i.exec(text) ?? []
  const host = hostOf(authority.replace(/^[^@]*@/, ""))
  if (host === undefined) return undefined
  return {
    target: rest.startsWith("/") ? rest : `/${rest}`,
    host,
    scheme: scheme.toLowerCase() === "https" ? "https" : "http",
  }
}

/** Of a Host header; undefined for none. */
export function hostOf(text: string): string | undefined {
  const host = text.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "")
  return /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(host) && host !== "_" && host !== "-" ? host : undefined
}
