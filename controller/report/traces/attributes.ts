import type { Attributes, AttributeValue } from "@opentelemetry/api"
import {
  ATTR_CLIENT_ADDRESS,
  ATTR_CLIENT_PORT,
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_REQUEST_METHOD_ORIGINAL,
  ATTR_HTTP_REQUEST_RESEND_COUNT,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_NETWORK_PEER_ADDRESS,
  ATTR_NETWORK_PEER_PORT,
  ATTR_NETWORK_PROTOCOL_VERSION,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_FULL,
  ATTR_URL_PATH,
  ATTR_URL_QUERY,
  ATTR_URL_SCHEME,
  ATTR_USER_AGENT_ORIGINAL,
} from "@opentelemetry/semantic-conventions"
import type { FinishedSpan, SpanAttempt } from "../../model/span.ts"

// Attributes by OpenTelemetry's semantic conventions for HTTP spans. Those of which there is no stable one are called as the conventions
// that are under development call them, or begin with `wick.`.

/** Others are `_OTHER`, so that clients cannot invent values. Source: semantic conventions, `http.request.method`. */
const methods = new Set([
  "CONNECT",
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "QUERY",
  "TRACE",
])

export function requestAttributes({ texts, status, requestBytes, responseBytes }: FinishedSpan): Attributes {
  return known({
    ...methodAttributes(texts.method),
    [ATTR_URL_SCHEME]: texts.scheme,
    [ATTR_URL_PATH]: texts.path,
    [ATTR_URL_QUERY]: texts.query && redacted(texts.query),
    [ATTR_HTTP_ROUTE]: texts.route,
    ...statusAttributes(status, 500),
    [ATTR_NETWORK_PROTOCOL_VERSION]: texts.protocol?.slice("HTTP/".length).replace(/^([23])\.0$/, "$1"),
    [ATTR_SERVER_ADDRESS]: texts.host,
    [ATTR_SERVER_PORT]: numberOf(texts.serverPort),
    [ATTR_CLIENT_ADDRESS]: texts.clientAddress,
    [ATTR_CLIENT_PORT]: numberOf(texts.clientPort),
    [ATTR_NETWORK_PEER_ADDRESS]: texts.peerAddress,
    [ATTR_USER_AGENT_ORIGINAL]: texts.userAgent,
    "http.request.size": requestBytes || undefined,
    "http.response.size": responseBytes || undefined,
    "k8s.namespace.name": texts.namespace,
    "k8s.ingress.name": texts.ingress,
    "k8s.service.name": texts.service,
    "wick.upstream": texts.backend,
  })
}

/** Of one request to an endpoint. @param nth from 0 on */
export function attemptAttributes({ texts }: FinishedSpan, attempt: SpanAttempt, nth: number): Attributes {
  const { address, port } = endpointOf(attempt.address)
  return known({
    ...methodAttributes(texts.method),
    ...statusAttributes(attempt.status, 400),
    [ATTR_SERVER_ADDRESS]: address,
    [ATTR_SERVER_PORT]: port,
    [ATTR_NETWORK_PEER_ADDRESS]: address,
    [ATTR_NETWORK_PEER_PORT]: port,
    [ATTR_URL_FULL]: port === undefined ? undefined : urlOf(texts, attempt.address),
    [ATTR_HTTP_REQUEST_RESEND_COUNT]: nth || undefined,
    "http.response.size": attempt.responseBytes || undefined,
    "wick.upstream.connect_ms": attempt.connectMs,
    "wick.upstream.header_ms": attempt.headerMs,
  })
}

/** Of a request that nginx made on behalf of another one. */
export function subrequestAttributes({ texts, status }: FinishedSpan): Attributes {
  return known({
    ...methodAttributes(texts.method),
    [ATTR_URL_PATH]: texts.path,
    ...statusAttributes(status, 500),
  })
}

function methodAttributes(method: string | undefined): Record<string, string | undefined> {
  if (method === undefined || methods.has(method)) return { [ATTR_HTTP_REQUEST_METHOD]: method }
  return { [ATTR_HTTP_REQUEST_METHOD]: "_OTHER", [ATTR_HTTP_REQUEST_METHOD_ORIGINAL]: method }
}

/** @param errors the first status that is an error: of a server's span from 500 on, of a client's from 400 on */
function statusAttributes(status: number, errors: number): Record<string, string | number | undefined> {
  return {
    [ATTR_HTTP_RESPONSE_STATUS_CODE]: status || undefined,
    [ATTR_ERROR_TYPE]: status === 0 ? "no_response" : status >= errors ? String(status) : undefined,
  }
}

/** What an endpoint was asked for. @returns undefined where nginx does not say */
function urlOf(
  { upstreamScheme: scheme, upstreamTarget: target }: FinishedSpan["texts"],
  address: string,
): string | undefined {
  if (scheme === undefined || target === undefined) return undefined
  const [path = "", query] = target.split(/\?(.*)/s)
  return `${scheme}://${address}${path}${query === undefined ? "" : `?${redacted(query)}`}`
}

/** Who has their values is let in. Source: semantic conventions, `url.query`. */
const secrets = /(^|&)(AWSAccessKeyId|Signature|sig|X-Goog-Signature)=[^&]*/g

function redacted(query: string): string {
  return query.replace(secrets, "$1$2=REDACTED")
}

function endpointOf(text: string): { address: string; port?: number } {
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:]*)):(\d+)$/.exec(text) ?? []
  return port === undefined ? { address: text } : { address: bracketed ?? plain ?? "", port: Number(port) }
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

function known(attributes: Record<string, AttributeValue | undefined>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter(([, value]) => value !== undefined && value !== ""),
  )
}
