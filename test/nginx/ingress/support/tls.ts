// A real nginx with `ingress_certificates`, a zone that the test fills itself, and clients that say what they got.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls"
import { ask } from "../../../../harness/http.ts"
import {
  type AuthorityRecord,
  authorityRecord,
  pairRecord,
  stapleRecord,
  type TlsHost,
  tlsHostRecord,
} from "../../../../harness/ingress/tls-records.ts"
import { zoneWriter } from "../../../../harness/ingress/zone-writer.ts"
import { type Conf, type Nginx, type Site, startNginx } from "../../../../harness/nginx.ts"
import type { Identity } from "../../../../harness/pki.ts"
import { patienceMs } from "../../../../harness/until.ts"

export interface TlsOptions {
  /** nginx's own certificate. */
  readonly certificate: Identity
  /** Text inside the server block. */
  readonly server?: string
  /** Text inside `http`, before the server block. */
  readonly http?: string
  /** Text of further server blocks, for the port of the first. */
  readonly more?: (port: number) => string
  /** Further parameters of `ingress_certificates`. */
  readonly parameters?: string
  readonly workers?: number
  readonly under?: readonly string[]
  /** Written to `ticket.key`. */
  readonly ticketKey?: Buffer
  /** Bytes of the zone; default `16m`. */
  readonly zone?: string
}

/** What a connection came to. */
export interface Met {
  /** `subject.CN` of the certificate that the server showed; nothing when a session was resumed in TLS 1.3. */
  readonly shown: string
  /** Name of the TLS host's record, or `-`. */
  readonly host: string
  /** `$ssl_client_verify` */
  readonly verify: string
  readonly resumed: boolean
  readonly cipher: string
  readonly pid: string
  /** DER of the OCSP response; empty: none. */
  readonly staple: Buffer
  /** To resume later. */
  readonly session?: Buffer
}

export class TlsSite implements AsyncDisposable {
  readonly nginx: Nginx
  constructor(nginx: Nginx) {
    this.nginx = nginx
  }

  get port(): number {
    return this.nginx.port
  }

  pair(id: string, identity: Identity): Promise<void> {
    return this.write(`pairs/${id}`, pairRecord(identity))
  }

  host(host: string, record: TlsHost): Promise<void> {
    return this.write(`hosts/${host}`, tlsHostRecord(record))
  }

  authority(id: string, record: AuthorityRecord): Promise<void> {
    return this.write(`authorities/${id}`, authorityRecord(record))
  }

  staple(id: string, response: Uint8Array, untilMs: number): Promise<void> {
    return this.write(`staples/${id}`, stapleRecord(response, untilMs))
  }

  /** Writes the key `certificates/<name>`, or deletes it. */
  async write(name: string, value: Uint8Array | undefined): Promise<void> {
    const path = `/certificates/${encodeURI(name)}`
    const question = value === undefined ? { method: "DELETE" } : { method: "PUT", body: value }
    const answer = await ask({ socketPath: this.nginx.site.socket }, { path, ...question })
    if (answer.status !== 204) throw new Error(`The zone did not take ${name}: ${answer.status}`)
  }

  /** Shakes hands, asks one request and closes. Rejects with OpenSSL's error when the handshake fails. */
  meet(sni: string | undefined, options: ConnectionOptions = {}): Promise<Met> {
    return meet(this.port, sni, options)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.nginx.stop()
  }
}

/** Node's types do not have it. */
type Naming = TLSSocket & { setServername(name: string): void }

function meet(port: number, sni: string | undefined, options: ConnectionOptions = {}): Promise<Met> {
  const { promise, resolve, reject } = Promise.withResolvers<Met>()
  // Not by the option: with that Node itself would not offer a session that it got under another name.
  const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ...options })
  if (sni !== undefined) (socket as Naming).setServername(sni)
  let text = ""
  let staple = Buffer.alloc(0)
  let session: Buffer | undefined
  socket.setTimeout(patienceMs, () => socket.destroy(new Error("No handshake in time")))
  socket.on("OCSPResponse", (response) => (staple = response ?? staple))
  socket.on("session", (latest) => (session = latest))
  socket.on("error", reject)
  socket.on("data", (chunk) => (text += chunk))
  socket.on("close", () => resolve({ ...saidIn(text), ...atHandshake, staple, ...(session && { session }) }))
  let atHandshake = { shown: "", resumed: false, cipher: "" }
  socket.on("secureConnect", () => {
    const { CN: shown = "" } = socket.getPeerCertificate().subject ?? {}
    atHandshake = { shown: String(shown), resumed: socket.isSessionReused(), cipher: socket.getCipher().name }
    socket.write("GET / HTTP/1.0\r\n\r\n")
  })
  return promise
}

function saidIn(text: string): Pick<Met, "host" | "verify" | "pid"> {
  const [host = "", verify = "", pid = ""] = text.split("\r\n\r\n")[1]?.split("|") ?? []
  return { host: host === "" ? "-" : host, verify, pid }
}

export async function startTls(options: TlsOptions): Promise<TlsSite> {
  const writer = await zoneWriter()
  const under = options.under === undefined ? {} : { under: options.under }
  return new TlsSite(await startNginx((site) => tlsConf(site, writer, options), under))
}

/** The configuration of {@link startTls}, for reloads with other text. */
export function tlsConf(site: Site, writer: string, options: TlsOptions): Conf {
  writeFileSync(join(site.dir, "static.pem"), options.certificate.chainPem + options.certificate.keyPem)
  if (options.ticketKey !== undefined) writeFileSync(join(site.dir, "ticket.key"), options.ticketKey)
  return {
    workers: options.workers ?? 1,
    main: `load_module ${site.modules}/ngx_http_ingress_module.so; load_module ${writer};`,
    http: `
zone_writer certificates ${options.zone ?? "16m"};
client_body_buffer_size 1m; client_max_body_size 1m;
ssl_protocols TLSv1.2 TLSv1.3;
ssl_certificate static.pem; ssl_certificate_key static.pem;
${options.http ?? ""}
server {
  listen unix:${site.socket};
  location / { zone_write certificates; }
}
server {
  listen 127.0.0.1:${site.port} ssl http2;
  ingress_certificates certificates ${options.parameters ?? ""};
  location / { return 200 "$ingress_tls_host|$ssl_client_verify|$pid"; }
  ${options.server ?? ""}
}
${options.more?.(site.port) ?? ""}`,
  }
}
