import { accepted, boolean, refused } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import { type AnnotationParser, hostNames, pathTemplate, urlText } from "./parse.ts"

/** A URL or path without variables. */
const target: AnnotationParser<string> = (text) =>
  text.trim().includes(" ") ? refused("remove the blanks") : urlText(text)

const absoluteTarget: AnnotationParser<string> = (text) => {
  const parsed = target(text)
  if (parsed.kind === "refused" || /^https?:\/\/[^/]/.test(parsed.value)) return parsed
  return refused("write a whole URL, with http:// or https:// and a host")
}

const absolutePath: AnnotationParser<string> = (text) => {
  const parsed = pathTemplate(text)
  if (parsed.kind === "refused" || parsed.value.startsWith("/")) return parsed
  return refused("write a path that starts with a slash")
}

/** A code from 300; another number is the default, as for ingress-nginx. */
function redirectCode(most: number, initial: number): AnnotationParser<number> {
  return (text) => {
    if (!/^[+-]?\d+$/.test(text)) return refused(`write a number from 300 to ${most}`)
    const code = Number(text)
    if (code >= 300 && code <= most) return accepted(code)
    return { ...accepted(initial), remark: `write a number from 300 to ${most}; ${initial} is used instead` }
  }
}

const routing = { place: "routing", scope: "location", since: "0.1.0" } as const
const low = { ...routing, risk: "low" } as const
const medium = { ...routing, risk: "medium" } as const

/** Which paths and hosts requests may ask for, where they are sent on to, and which path the backend sees. */
export const routingAnnotations: readonly Annotation[] = [
  { ...low, name: "use-regex", field: "usesRegex", parse: boolean },
  { ...medium, name: "rewrite-target", scope: "ingress", field: "rewriteTarget", parse: pathTemplate },
  { ...low, name: "enable-rewrite-log", needs: "rewrite-target", field: "logsRewrite", parse: boolean },
  {
    ...medium,
    name: "x-forwarded-prefix",
    needs: "rewrite-target",
    field: "forwardedPrefix",
    parse: (text) => pathTemplate(text.replaceAll(" ", "")),
  },
  { ...medium, name: "app-root", field: "appRoot", parse: absolutePath },
  {
    ...routing,
    name: "server-alias",
    scope: "ingress",
    risk: "high",
    field: "aliases",
    parse: hostNames,
  },
  { ...low, name: "from-to-www-redirect", field: "redirectsWww", parse: boolean },
  { ...medium, name: "permanent-redirect", field: "permanentRedirect", parse: target },
  {
    ...low,
    name: "permanent-redirect-code",
    needs: "permanent-redirect",
    field: "permanentRedirectCode",
    parse: redirectCode(308, 301),
  },
  { ...medium, name: "temporal-redirect", field: "temporalRedirect", parse: absoluteTarget },
  {
    ...low,
    name: "temporal-redirect-code",
    needs: "temporal-redirect",
    field: "temporalRedirectCode",
    parse: redirectCode(307, 302),
  },
  { ...low, name: "relative-redirects", field: "relativeRedirects", parse: boolean },
  { ...low, name: "use-port-in-redirects", field: "usePortInRedirects", parse: boolean },
  { ...medium, name: "preserve-trailing-slash", field: "preserveTrailingSlash", parse: boolean },
  { ...low, name: "ssl-redirect", field: "sslRedirect", parse: boolean },
  { ...medium, name: "force-ssl-redirect", field: "forceSslRedirect", parse: boolean },
  { ...low, name: "ssl-passthrough", scope: "server", field: "passesTls", parse: boolean },
]
