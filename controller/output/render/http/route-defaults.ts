/** What `$route_<name>` is where a route says nothing: one variable of nginx, or a text without any. */
interface RouteDefault {
  readonly name: string
  readonly value: string
}

export const routeDefaults: readonly RouteDefault[] = [
  { name: "upstream_vhost", value: "$best_http_host" },
  { name: "connection", value: "$connection_upgrade" },
  { name: "forwarded_prefix", value: "$http_x_forwarded_prefix" },
  // nginx's own default: the only name that it has for endpoints
  { name: "proxy_ssl_name", value: "upstream_balancer" },
]
