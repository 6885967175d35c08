import { withoutCredentials } from "../credentials.ts"
import { accepted, type Parser, refused } from "../parser.ts"
import { maxPartBytes } from "../text-sizes.ts"
import type { Syntax } from "../usage.ts"
import { hostVariable, urlTemplate } from "./template.ts"

/** Where clients without a login are sent. A `/path` stays on the host; only the request's own host may be variable, so nobody can say where others are led. */
const url = new RegExp(
  String.raw`^(?:(?:https?|\$(?:scheme|pass_access_scheme)|\$\{(?:scheme|pass_access_scheme)\})://(?:[A-Za-z0-9._-]|${hostVariable})+(?::\d{1,5})?(?=[/?#]|$)|/(?![/\\]))`,
  "i",
)

const advice = "write a URL of http or https, with $host at most as its host, or a path"

const parseUrl: Parser<string> = withoutCredentials((text) => {
  const written = text.replaceAll(" ", "")
  if (!url.test(written)) return refused(advice)
  if (Buffer.byteLength(written) > maxPartBytes) return refused(`write at most ${maxPartBytes} bytes`)
  const checked = urlTemplate(written.replace("#", ""))
  return checked.kind === "refused" ? checked : accepted(written)
})

export const signInUrl: Syntax<string> = {
  parse: parseUrl,
  values: "a URL or a path, with variables",
}

/** The parameter that brings a client back. */
export const redirectParameter: Syntax<string> = {
  values: "a name of letters, digits and `-._~`",
  parse: (text) => {
    const name = text.replaceAll(" ", "")
    return /^[-._~A-Za-z0-9]{1,255}$/.test(name)
      ? accepted(name)
      : refused("write letters, digits and - . _ ~ only")
  },
}

/** What the parameter says: where the client wanted to go. */
const origin = "$pass_access_scheme://$best_http_host$escaped_request_uri"

/** The template of the redirect: a URL that has the parameter already is taken as it is (behaviour of ingress-nginx). */
export function withRedirectParameter(url: string, name: string): string {
  const [, base = "", query, fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(url) ?? []
  if (new URLSearchParams(query).get(name)) return url
  const joint = query === undefined ? "?" : /[?&]$/.test(query) ? "" : "&"
  return `${base}${query ?? ""}${joint}${name}=${origin}${fragment}`
}
