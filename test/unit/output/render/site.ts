import { httpOf } from "../../../../controller/core/assemble/http.ts"
import { defaultSettings } from "../../../../controller/core/options/configmap.ts"
import type { Settings } from "../../../../controller/core/options/settings.ts"
import type { Http } from "../../../../controller/model/http.ts"
import type { Fixed } from "../../../../controller/model/model.ts"
import type { Site } from "../../../../controller/output/render/site.ts"
import { options } from "../../../../harness/objects.ts"

/** A machine that is the same everywhere. */
export const site: Site = {
  build: "0123456789abcdef0123456789abcdef",
  paths: {
    wasmModule: "/opt/wick/ngx_http_wasm_module.so",
    ingressModule: "/opt/wick/ngx_http_ingress_module.so",
    streamModule: "/usr/lib/nginx/modules/ngx_stream_module.so",
    brotliModules: [],
    zstdModules: [],
    balancer: "/opt/wick/balancer.wasm",
    compiled: "/run/wick/compiled",
    policies: "/run/wick/policies",
    ruleSets: ["/run/wick/modsecurity"],
    geoip: "/run/wick/geoip",
    pid: "/run/wick/nginx.pid",
    sockets: {
      control: "/run/wick/control/control.sock",
      explain: "/run/wick/control/http.sock",
      explainTls: "/run/wick/control/https.sock",
      passthrough: "/run/wick/control/tls.sock",
      streamTls: "/run/wick/control/streams.sock",
    },
    secrets: "/run/wick/secrets",
    temp: "/run/wick/temp",
    certificate: "/run/wick/default-certificate.pem",
    certificateKey: "/run/wick/default-certificate.key",
    quicHostKey: "/run/wick/quic-host.key",
    hidden: ["/var/run/secrets"],
    accessLog: "/dev/stdout",
  },
  processors: 3,
  memoryBytes: Number.POSITIVE_INFINITY,
  openFiles: 65_536,
  backlog: 511,
  hasIpv6: false,
  hasHttp2Directive: false,
}

/** The http level with these settings and the defaults for all others. */
export function httpWith(settings: Partial<Settings>): Http {
  const ports = { httpPort: 8080, httpsPort: 8443, statusPort: 10246, defaultServerPort: 8181 }
  return httpOf({ ...defaultSettings, ...settings }, { ...options, ports })
}

export const fixed: Fixed = {
  http: httpWith({ workerProcesses: 2 }),
  locations: [
    { name: "location-00000001", proxyHttpVersion: "1.1" },
    { name: "location-00000002", proxyHttpVersion: "1.0" },
  ],
}
