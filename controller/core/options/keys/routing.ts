import { type Algorithm, algorithm as anyAlgorithm } from "../algorithm.ts"
import { family, key } from "../key.ts"
import { accepted, emptyIs, refused } from "../parser.ts"
import { type Syntax, values } from "../usage.ts"
import { falseByDefault, trueByDefault } from "./syntax.ts"
import { pathBeginnings } from "./texts.ts"

const redirectCodes = [301, 302, 307, 308] as const

const redirectCode: Syntax<(typeof redirectCodes)[number]> = {
  values: "`301`, `302`, `307` or `308`",
  parse: (text) => {
    const code = redirectCodes.find((candidate) => String(candidate) === text)
    return code === undefined ? refused(`write ${redirectCodes.join(" or ")}`) : accepted(code)
  },
}

const algorithm = {
  values: values.algorithm,
  parse: emptyIs<Algorithm>("round_robin", anyAlgorithm),
}

const description = "default of the annotation"

/** What holds for routes and backends whose Ingress says nothing. */
export const routing = family("Redirects", {
  loadBalance: key("load-balance", algorithm, "round_robin", {
    section: "Backends",
    example: "ewma",
    description,
  }),
  /** one endpoint: the Service's own address */
  serviceUpstream: falseByDefault("service-upstream", description, { section: "Backends" }),
  /** of redirects to HTTPS and between a host and its `www.` */
  httpRedirectCode: key("http-redirect-code", redirectCode, "308", {
    example: "301",
    description: "status of redirects to HTTPS and to and from `www.`",
  }),
  /** paths of Ingresses that begin with one of these are never redirected to HTTPS */
  noTlsRedirectLocations: key("no-tls-redirect-locations", pathBeginnings, "/.well-known/acme-challenge", {
    example: "/health",
    description: "paths that are never redirected to HTTPS",
  }),
  /** hosts with a certificate are redirected to HTTPS */
  sslRedirect: trueByDefault("ssl-redirect", description),
  /** and those without */
  forceSslRedirect: falseByDefault("force-ssl-redirect", description),
  /** redirects to HTTPS keep the slash at the end */
  preserveTrailingSlash: falseByDefault("preserve-trailing-slash", description),
  /** redirects name the port */
  usePortInRedirects: falseByDefault("use-port-in-redirects", description),
  logsDefaultBackend: falseByDefault(
    "enable-access-log-for-default-backend",
    "whether requests that match no Ingress are logged",
    { section: "Logs" },
  ),
})
