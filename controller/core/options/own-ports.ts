import type { Options } from "./flag-table.ts"

/** A port that nginx or the controller listens on. */
export interface OwnPort {
  /** that says which */
  readonly flag: string
  readonly port: number
  /** absent: the controller opens it */
  readonly nginxHost?: string
}

/**
 * All that are open with these flags: no two of them may be the same, nobody may name one as a backend, and nginx's have to be free when it starts.
 * A port that nobody opens may have the number of another.
 */
export function ownPorts(options: Options): readonly OwnPort[] {
  const { profiling, uiPort, validatingWebhook: webhook } = options
  return [
    { flag: "--http-port", port: options.httpPort, nginxHost: "0.0.0.0" },
    { flag: "--https-port", port: options.httpsPort, nginxHost: "0.0.0.0" },
    { flag: "--default-server-port", port: options.defaultServerPort, nginxHost: "0.0.0.0" },
    { flag: "--status-port", port: options.statusPort, nginxHost: "127.0.0.1" },
    { flag: "--healthz-port", port: options.healthzPort },
    ...(uiPort === 0 ? [] : [{ flag: "--ui-port", port: uiPort }]),
    ...(profiling ? [{ flag: "--profiler-port", port: options.profilerPort }] : []),
    ...(webhook ? [{ flag: "--validating-webhook", port: webhook.port }] : []),
  ]
}

/** Ports that no TCP or UDP service may have: those above, and what ingress-nginx opens although wick does not. */
export function reservedPorts(options: Options): readonly OwnPort[] {
  return [
    ...ownPorts(options),
    { flag: "--stream-port", port: options.streamPort },
    { flag: "--ssl-passthrough-proxy-port", port: options.sslPassthroughProxyPort },
    { flag: "--profiler-port", port: options.profilerPort },
  ]
}
