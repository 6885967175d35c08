import { accepted, refused } from "../options/parser.ts"
import { none } from "../options/usage.ts"
import { type Family, fromConfigMap } from "./entry.ts"
import type { AnnotationParser } from "./parse.ts"
import { falseByDefault, trueOrFalse } from "./syntax.ts"
import { hostNames, pathTemplate, urlText } from "./texts.ts"

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
function redirectCode(max: number, initial: number): AnnotationParser<number> {
  return (text) => {
    if (!/^[+-]?\d+$/.test(text)) return refused(`write a number from 300 to ${max}`)
    const code = Number(text)
    if (code >= 300 && code <= max) return accepted(code)
    return { ...accepted(initial), remark: `write a number from 300 to ${max}; ${initial} is used instead` }
  }
}

const low = { section: "Routing", scope: "location", risk: "low", since: "0.1.0" } as const
const medium = { ...low, risk: "medium" } as const

/** Which paths and hosts requests may ask for, where they are sent on to, and which path the backend sees. */
export const routingAnnotations = {
  usesRegex: {
    ...low,
    ...falseByDefault,
    name: "use-regex",
    description: "the paths of the host are regular expressions, case-insensitive and anchored at the start",
  },
  /** template */
  rewriteTarget: {
    ...medium,
    name: "rewrite-target",
    scope: "ingress",
    parse: pathTemplate,
    values: "a path with `$1` … `$9` for groups of the Ingress path",
    default: none,
    example: "/new/$1",
    description: "path that the backend gets; makes the paths of the host regular expressions",
  },
  logsRewrite: {
    ...low,
    ...falseByDefault,
    name: "enable-rewrite-log",
    exampleWith: { annotations: { "rewrite-target": "/new" } },
    description: "whether rewritten paths are written to the error log",
  },
  rewritesRaw: {
    ...medium,
    ...falseByDefault,
    isOwn: true,
    name: "rewrite-raw",
    needs: "rewrite-target",
    exampleWith: { annotations: { "rewrite-target": "/new/$1" } },
    description:
      "`$1` … `$9` of rewrite-target have the path as the client wrote it: `%2F` stays `%2F`, and `//` stays. Of HTTP and HTTPS backends",
  },
  /** template */
  forwardedPrefix: {
    ...medium,
    name: "x-forwarded-prefix",
    needs: "rewrite-target",
    parse: (text) => pathTemplate(text.replaceAll(" ", "")),
    values: "a path with `$1` … `$9`",
    default: none,
    example: "/shop",
    exampleWith: { annotations: { "rewrite-target": "/new" } },
    description: "`X-Forwarded-Prefix` of requests to the backend; needs rewrite-target",
  },
  /** template of an absolute path */
  appRoot: {
    ...medium,
    name: "app-root",
    parse: absolutePath,
    values: "a path",
    default: none,
    example: "/start",
    description: "where requests for `/` are redirected to (302)",
  },
  /** lower-case, each once, in order */
  aliases: {
    ...low,
    name: "server-alias",
    scope: "ingress",
    parse: hostNames,
    values: "host names separated by commas",
    default: none,
    example: "shop.example.org",
    description: "further names under which the hosts of the Ingress are served",
    risk: "high",
  },
  /** to this host from the one that has `www.` more or less */
  redirectsWww: {
    ...low,
    ...falseByDefault,
    name: "from-to-www-redirect",
    description: "the host without `www.` is redirected to the one with it, or the other way round",
  },
  /** URL or path, without variables */
  permanentRedirect: {
    ...medium,
    name: "permanent-redirect",
    parse: target,
    values: "a URL or path",
    default: none,
    example: "https://www.example.com/",
    description: "where every request is redirected to; no endpoint is needed",
  },
  /** 300 to 308 */
  permanentRedirectCode: {
    ...low,
    name: "permanent-redirect-code",
    needs: "permanent-redirect",
    parse: redirectCode(308, 301),
    values: "300 to 308",
    default: "301",
    example: "308",
    exampleWith: { annotations: { "permanent-redirect": "https://www.example.com/" } },
    description: "status of permanent-redirect",
  },
  /** URL, without variables */
  temporalRedirect: {
    ...medium,
    name: "temporal-redirect",
    parse: absoluteTarget,
    values: "a URL",
    default: none,
    example: "https://status.example.com/",
    description: "as permanent-redirect, with a temporary status; takes precedence over it",
  },
  /** 300 to 307 */
  temporalRedirectCode: {
    ...low,
    name: "temporal-redirect-code",
    needs: "temporal-redirect",
    parse: redirectCode(307, 302),
    values: "300 to 307",
    default: "302",
    example: "307",
    exampleWith: { annotations: { "temporal-redirect": "https://status.example.com/" } },
    description: "status of temporal-redirect",
  },
  relativeRedirects: {
    ...low,
    ...falseByDefault,
    name: "relative-redirects",
    description: "whether nginx's own redirects leave out the host",
  },
  usePortInRedirects: {
    ...low,
    ...trueOrFalse,
    name: "use-port-in-redirects",
    default: fromConfigMap,
    example: "true",
    description: "whether redirects include the port",
  },
  preserveTrailingSlash: {
    ...medium,
    ...trueOrFalse,
    name: "preserve-trailing-slash",
    default: fromConfigMap,
    example: "true",
    exampleWith: { annotations: { "force-ssl-redirect": "true" } },
    description: "whether the redirect to HTTPS keeps the trailing slash of the path",
  },
  /** of hosts with a certificate */
  sslRedirect: {
    ...low,
    ...trueOrFalse,
    name: "ssl-redirect",
    default: fromConfigMap,
    example: "false",
    description: "plain HTTP is redirected to HTTPS if the host has a certificate",
  },
  forceSslRedirect: {
    ...medium,
    ...trueOrFalse,
    name: "force-ssl-redirect",
    default: fromConfigMap,
    example: "true",
    description: "plain HTTP is redirected to HTTPS, certificate or not",
  },
  /** TLS connections for the hosts go to the Service of `/` undecrypted */
  passesTls: {
    ...low,
    ...falseByDefault,
    name: "ssl-passthrough",
    scope: "server",
    exampleWith: { flags: ["--enable-ssl-passthrough"] },
    description:
      "TLS connections for the hosts are passed undecrypted to the Service of path `/`; needs `--enable-ssl-passthrough`. Plain HTTP is served as usual, over HTTPS to the endpoints",
  },
} satisfies Family
