import type { Http } from "../../../model/http.ts"
import { accessLogDefault } from "./logs.ts"

/** What `$route_<name>` is where a route says nothing: one variable of nginx, or a text without any. */
interface RouteDefault {
  readonly name: string
  readonly value: string
}

const fixed: readonly RouteDefault[] = [
  { name: "upstream_vhost", value: "$best_http_host" },
  { name: "connection", value: "$connection_upgrade" },
  { name: "forwarded_prefix", value: "$http_x_forwarded_prefix" },
  // without a name none is sent, and no certificate has it
  { name: "proxy_ssl_name", value: "" },
]

export function routeDefaults(http: Http): readonly RouteDefault[] {
  return [
    ...fixed,
    { name: "access_log", value: accessLogDefault(http) },
    { name: "access_log_sample", value: String(http.logs.accessLogSample) },
  ]
}
