import type { Host, HostClientCertificate, Overrides, Route, RouteVariables } from "../../model/route.ts"

// A host in the posted format, docs/wire.md section 1. What is undefined is absent there.

export function hostFields({ server, host, clientCertificate: asked, routes }: Host): object {
  const client_certificate = asked && clientCertificateFields(asked)
  return { server, host, client_certificate, routes: routes.map(routeFields) }
}

function clientCertificateFields(asked: HostClientCertificate): object {
  return {
    authority: asked.authority,
    verify: asked.verify,
    match_cn: asked.matchCn,
    error_page: asked.errorPage,
    pass_certificate: asked.passesCertificate,
  }
}

function routeFields(route: Route): object {
  return {
    path: route.path,
    match: route.match,
    policy: route.policy,
    backend: route.backend,
    namespace: route.namespace,
    ingress_name: route.ingressName,
    service_name: route.serviceName,
    service_port: route.servicePort,
    location_path: route.locationPath,
    status: route.status,
    redirect: route.redirect,
    https_redirect: route.httpsRedirect,
    rewrite: route.rewrite,
    log_rewrite: route.logsRewrite,
    variables: route.variables && variableFields(route.variables),
    headers: route.headers,
    overrides: overrideFields(route.overrides),
  }
}

function variableFields(variables: RouteVariables): object {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [snakeCase(name), value]))
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function overrideFields(overrides: Overrides): object {
  return {
    proxy_connect_timeout_ms: overrides.proxyConnectTimeoutMs,
    proxy_send_timeout_ms: overrides.proxySendTimeoutMs,
    proxy_read_timeout_ms: overrides.proxyReadTimeoutMs,
    client_max_body_size_bytes: overrides.clientMaxBodyBytes,
    proxy_next_upstream: overrides.proxyNextUpstream,
    proxy_next_upstream_tries: overrides.proxyNextUpstreamTries,
    proxy_next_upstream_timeout_ms: overrides.proxyNextUpstreamTimeoutMs,
    proxy_buffer_size_bytes: overrides.proxyBufferBytes,
    proxy_buffers_number: overrides.proxyBuffersNumber,
    proxy_busy_buffers_size_bytes: overrides.proxyBusyBuffersBytes,
    proxy_buffering: overrides.proxyBuffering,
    proxy_request_buffering: overrides.proxyRequestBuffering,
    proxy_max_temp_file_size_bytes: overrides.proxyMaxTempFileBytes,
    client_body_buffer_size_bytes: overrides.clientBodyBufferBytes,
    absolute_redirect: overrides.absoluteRedirect,
    port_in_redirect: overrides.portInRedirect,
  }
}
