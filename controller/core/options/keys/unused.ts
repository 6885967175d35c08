const annotationMeant = (name: string) => `it is an annotation, ${name}, and no key`
const bindAddress = "bind-address takes addresses of both families"
const headerSizes = "nginx has it no more; large-client-header-buffers holds for HTTP/2, too"
const jaeger = "ingress-nginx has Jaeger no more; enable-opentelemetry sends spans to it, too"

/** Keys that ingress-nginx itself, or nginx, accepts or documents and never uses; each with what to write instead, as a phrase. */
export const unusedKeys: Readonly<Record<string, string>> = {
  "app-root": annotationMeant("app-root"),
  "bind-address-ipv4": bindAddress,
  "bind-address-ipv6": bindAddress,
  "global-external-auth": "write global-auth-url and the keys beside it",
  "http2-max-field-size": headerSizes,
  "http2-max-header-size": headerSizes,
  "http2-max-requests": "nginx has it no more; keep-alive-requests holds for HTTP/2, too",
  "jaeger-baggage-header": jaeger,
  "jaeger-collector-host": jaeger,
  "jaeger-collector-port": jaeger,
  "jaeger-debug-header": jaeger,
  "jaeger-endpoint": jaeger,
  "jaeger-propagation-format": jaeger,
  "jaeger-sampler-host": jaeger,
  "jaeger-sampler-param": jaeger,
  "jaeger-sampler-port": jaeger,
  "jaeger-sampler-type": jaeger,
  "jaeger-service-name": jaeger,
  "jaeger-trace-context-header-name": jaeger,
  "jaeger-tracer-baggage-header-prefix": jaeger,
  "upstream-hash-by": annotationMeant("upstream-hash-by"),
  "upstream-hash-by-subset": annotationMeant("upstream-hash-by-subset"),
  "upstream-hash-by-subset-size": annotationMeant("upstream-hash-by-subset-size"),
  "use-geoip": "databases of that format are published no more; use-geoip2 reads those that are",
}
