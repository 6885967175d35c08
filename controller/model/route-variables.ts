/** Templates that locations see as `$route_<name>`, the name in snake case; absent ones are empty. */
export interface RouteVariables {
  /** `Host` of requests to the backend */
  readonly upstreamVhost?: string
  /** `Connection` of requests to the backend */
  readonly connection?: string
  /** `X-Forwarded-Prefix` of requests to the backend */
  readonly forwardedPrefix?: string
  /** name in the backend's certificate, and SNI */
  readonly proxySslName?: string
  /** `Backend.name` of what gets copies of requests */
  readonly mirrorBackend?: string
  /** URL of a copy; its host is the upstream that asks for that backend */
  readonly mirrorTarget?: string
  /** `Host` of copies */
  readonly mirrorHost?: string
  /** SNI of copies by TLS */
  readonly mirrorName?: string
  /** `Backend.name` of what answers intercepted errors */
  readonly errorBackend?: string
  /** `Backend.name` whose sessions may begin here */
  readonly session?: string
  /** "0": not logged */
  readonly accessLog?: "0"
  /** which part of the requests that do not fail is logged: 0 to 1 */
  readonly accessLogSample?: string
}
