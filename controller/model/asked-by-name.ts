// A backend that is asked by TLS, and not for a route, has no `$route_proxy_ssl_name`: the name that it is sent, and has to show, is a part of its own.

/** @param name in lower case; without `@` */
export function askedByName(backend: string, name: string): string {
  return `${backend}@${name}`
}

/** Of backends of Gateways that are asked so; its group is the name. No Service has an `@` in its name. */
export const nameOfAsked = "^gateway:[^@]+@([^@]+)$"
