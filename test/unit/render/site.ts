import type { Fixed } from "../../../controller/model/model.ts"
import type { Site } from "../../../controller/render/site.ts"

/** A machine that is the same everywhere. */
export const site: Site = {
  paths: {
    wasmModule: "/opt/wick/ngx_http_wasm_module.so",
    ingressModule: "/opt/wick/ngx_http_ingress_module.so",
    balancer: "/opt/wick/balancer.wasm",
    pid: "/run/wick/nginx.pid",
    controlSocket: "/run/wick/control/control.sock",
    temp: "/run/wick/temp",
    accessLog: "/dev/stdout",
  },
  processors: 3,
  openFiles: 65_536,
  backlog: 511,
  hasIpv6: false,
}

export const fixed: Fixed = {
  http: {
    workerProcesses: 2,
    keepAliveSeconds: 75,
    clientMaxBodyBytes: 1_048_576,
    logFormatUpstream: '$remote_addr "$request" $status',
    upstreamKeepaliveConnections: 320,
    listen: { httpPort: 8080, statusPort: 10246 },
  },
  policies: [
    { name: "policy-00000001", proxyHttpVersion: "1.1" },
    { name: "policy-00000002", proxyHttpVersion: "1.0" },
  ],
}
