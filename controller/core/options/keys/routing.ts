import { type Keys, key } from "../key.ts"
import type { RouteSettings } from "../settings.ts"
import { accepted, emptyIs, list, oneOf, type Parser, refused } from "../values.ts"
import { onOff } from "./parsers.ts"

const redirectCodes = [301, 302, 307, 308] as const

const redirectCode: Parser<RouteSettings["httpRedirectCode"]> = (text) => {
  const code = redirectCodes.find((candidate) => String(candidate) === text)
  return code === undefined ? refused(`write ${redirectCodes.join(" or ")}`) : accepted(code)
}

/** What holds for routes and backends whose Ingress says nothing. */
export const routing: Keys<RouteSettings> = {
  loadBalance: key(
    "load-balance",
    emptyIs("round_robin", oneOf("round_robin", "ewma", "least_conn", "p2c")),
    "round_robin",
  ),
  serviceUpstream: key("service-upstream", onOff, "false"),
  httpRedirectCode: key("http-redirect-code", redirectCode, "308"),
  noTlsRedirectLocations: key("no-tls-redirect-locations", list, "/.well-known/acme-challenge"),
  sslRedirect: key("ssl-redirect", onOff, "true"),
  forceSslRedirect: key("force-ssl-redirect", onOff, "false"),
  preserveTrailingSlash: key("preserve-trailing-slash", onOff, "false"),
  usePortInRedirects: key("use-port-in-redirects", onOff, "false"),
  logsDefaultBackend: key("enable-access-log-for-default-backend", onOff, "false"),
}
