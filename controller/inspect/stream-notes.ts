import type { StreamCounters } from "../model/stream-counters.ts"
import type { PostedServerName, PostedStream } from "../output/control/posted.ts"
import { counted } from "../support/counted.ts"
import { shortId } from "./notes.ts"

// What there is to say of a port of TCP or UDP, in few words each.

/** What serves clients of a port that ask for one server name. */
export interface ServedName {
  /** `_` is every other name, and none; absent: names make no difference */
  readonly host?: string
  readonly backend: string
  /** `namespace/name:port`; "" where no Service is known */
  readonly service: string
  /** what becomes of TLS, in few words; empty: nothing, it passes through */
  readonly tls: readonly string[]
}

/** In the order of the record, one at least. */
export function servedNames({ names, ...all }: PostedStream): readonly ServedName[] {
  if (names !== undefined && names.length > 0)
    return names.map((name) => ({ host: name.host, ...servedBy(name) }))
  return [servedBy(all)]
}

function servedBy(named: Omit<PostedServerName, "host">): ServedName {
  const { backend, namespace = "", service_name: name = "", service_port: port = "" } = named
  return { backend, service: name === "" ? "" : `${namespace}/${name}:${port}`, tls: tlsNotes(named) }
}

function tlsNotes({ tls, backend_tls: backend }: Pick<PostedServerName, "tls" | "backend_tls">): string[] {
  return [
    ...(tls === undefined ? [] : [`TLS of clients ends here${clientsText(tls)}`]),
    ...(tls?.alpn === undefined ? [] : [`they agree upon ${tls.alpn.join(", ")}`]),
    ...(backend === undefined ? [] : [`endpoints are spoken to in TLS, ${verifiedText(backend)}`]),
  ]
}

function clientsText({ authority, verify = "on" }: NonNullable<PostedStream["tls"]>): string {
  if (authority === undefined) return ""
  const must = verify === "on" || verify === "required" ? "must" : "may"
  return `, and they ${must} show a certificate of authority ${shortId(authority)}`
}

function verifiedText(backend: NonNullable<PostedStream["backend_tls"]>): string {
  const { server_name: name, authority, alternative_names: names = [] } = backend
  if (authority === undefined) return "whatever certificate they show"
  const whose = names.length > 0 ? names.join(" or ") : name
  return `which verifies them by authority ${shortId(authority)}${whose === undefined ? "" : ` for ${whose}`}`
}

/** What is special about it. */
export function streamNotes(stream: PostedStream): string[] {
  const { connections, connections_per_second: rate, upload_bytes: up, download_bytes: down } = stream
  return [
    ...(stream.accepts_proxy_protocol ? ["clients send a PROXY header"] : []),
    ...(stream.sends_proxy_protocol ? [`endpoints get a PROXY header (${stream.sends_proxy_protocol})`] : []),
    ...(connections === undefined ? [] : [`${connections} at a time of one client`]),
    ...(rate === undefined ? [] : [`${rate} new ones per second of one client`]),
    ...(up ? [`${up} bytes per second from clients`] : []),
    ...(down ? [`${down} bytes per second to clients`] : []),
  ]
}

/** That not everybody may come. */
export function listNotes({ allow, deny }: PostedStream): string[] {
  return [
    ...(deny === undefined ? [] : ["not for some networks"]),
    ...(allow === undefined ? [] : ["only for some networks"]),
  ]
}

/** How long and how often things are tried. */
export function streamTimes(stream: PostedStream): string[] {
  const { proxy_timeout_ms: idle, proxy_connect_timeout_ms: connect, drain_ms: drain } = stream
  const { responses, requests } = stream
  return [
    ...(idle === undefined ? [] : [`ends after ${idle / 1000} s without data`]),
    ...(drain === undefined ? [] : [`leaves an endpoint that is away after ${drain / 1000} s`]),
    ...(connect === undefined ? [] : [`an endpoint has ${connect / 1000} s to take the connection`]),
    ...(responses === undefined ? [] : [`ends after ${responses} datagrams of the endpoint`]),
    ...(requests ? [`takes ${requests} datagrams of the client`] : []),
    retries(stream),
  ]
}

function retries(stream: PostedStream): string {
  const { next_upstream: tries = true, next_upstream_tries: most, next_upstream_timeout_ms: ms } = stream
  if (!tries) return "no other endpoint is tried when one does not connect"
  const limits = [...(most ? [`${most} at most`] : []), ...(ms ? [`for ${ms / 1000} s`] : [])]
  return ["other endpoints are tried when one does not connect", ...limits].join(", ")
}

export function countersText({ sessions, ended, failed, refused }: StreamCounters): string {
  const causes = Object.entries(refused).filter(([, count]) => count > 0)
  return [
    `${counted(sessions, "session")} so far`,
    `${sessions - ended} open`,
    ...(failed > 0 ? [`${failed} reached no endpoint`] : []),
    ...causes.map(([cause, count]) => `${count} refused (${cause})`),
  ].join(", ")
}
