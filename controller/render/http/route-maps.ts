import { type VariableMap, variableMap } from "./maps.ts"

// What a route says in its variables, or what holds where it says nothing.

export function routeMaps(): readonly VariableMap[] {
  return [
    byRoute("upstream_vhost", "$pass_host", "$best_http_host"),
    byRoute("connection", "$pass_connection", "$connection_upgrade"),
    byRoute("forwarded_prefix", "$pass_forwarded_prefix", "$http_x_forwarded_prefix"),
    // nginx's own default: the only name that it has for endpoints
    byRoute("proxy_ssl_name", "$pass_ssl_name", "upstream_balancer"),
  ]
}

function byRoute(variable: string, name: string, otherwise: string): VariableMap {
  const own = `$route_${variable}`
  return variableMap(own, name, own, { "": otherwise })
}
