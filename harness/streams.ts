// The data plane with ports of TCP and UDP: a real nginx as the controller configures it, and endpoints that tell what came to them.
import { createSocket, type Socket as Datagrams, type RemoteInfo } from "node:dgram"
import { readFileSync, writeFileSync } from "node:fs"
import { type AddressInfo, isIPv6 } from "node:net"
import { type Client, rawTarget, type Target } from "./ingress/passthrough.ts"
import { type Conf, type Site, startNginx, type WriteConf } from "./nginx.ts"
import type { Identity } from "./pki.ts"
import { Plane, type PlaneOptions, planeConf } from "./plane.ts"
import { streamModule } from "./stream-module.ts"
import { cert, key } from "./tls.ts"
import { until } from "./until.ts"

export interface StreamsOptions extends PlaneOptions {
  /** How many ports there are, each of TCP and UDP; default 1. */
  readonly count?: number
  /** Text of the main context. */
  readonly inMain?: string
  /** Directives of the stream block, and of each of its servers. */
  readonly inStream?: string
  readonly inStreamServer?: string
  /** Directives of the server that handshakes are made with. */
  readonly inTlsServer?: string
  /** Further servers of the stream block. */
  readonly moreServers?: (site: Site) => string
  readonly under?: readonly string[]
}

/** What a stream has counted. */
interface Counted {
  readonly name: string
  readonly sessions: number
  readonly ended: number
  readonly failed: number
  readonly refused: Readonly<Record<string, number>>
  readonly received_bytes: number
  readonly sent_bytes: number
  readonly connected: number
}

export class Streams extends Plane {
  /** The ports of streams. */
  get ports(): readonly number[] {
    return this.nginx.site.ports.slice(1)
  }

  get tcp(): number {
    return this.ports[0] ?? 0
  }

  /** Sends sessions of the first port to endpoints, by a backend of that name. */
  async serve(
    protocol: "tcp" | "udp",
    endpoints: readonly string[],
    more: { readonly backend?: object; readonly stream?: object; readonly port?: number } = {},
  ): Promise<void> {
    const port = more.port ?? this.tcp
    const name = `${protocol}-demo-db-${port}`
    await this.apply({
      backends: { set: [{ name, endpoints: endpoints.map(endpointAt), ...more.backend }] },
      streams: {
        set: [
          {
            name: `${protocol}:${port}`,
            backend: name,
            namespace: "demo",
            service_name: "db",
            service_port: "5432",
            ...more.stream,
          },
        ],
      },
    })
  }

  log(): string[] {
    return readFileSync(`${this.nginx.dir}/stream.log`, "utf8").split("\n").slice(0, -1)
  }

  async untilLogged(line: string | RegExp): Promise<void> {
    await until(`${line} in the log ${JSON.stringify(this.log())}`, () =>
      this.log().some((known) => (typeof line === "string" ? known.includes(line) : line.test(known))),
    )
  }

  async counted(name: string): Promise<Counted> {
    const all = (await this.nginx.get("/streams")).json() as Counted[]
    const found = all.find((one) => one.name === name)
    if (found === undefined) throw new Error(`Nothing was counted of ${name}: ${JSON.stringify(all)}`)
    return found
  }
}

export function endpointAt(text: string): object {
  const colon = text.lastIndexOf(":")
  return { address: text.slice(0, colon), port: text.slice(colon + 1) }
}

export async function startStreams(options: StreamsOptions = {}): Promise<Streams> {
  const under = options.under === undefined ? {} : { under: options.under }
  const nginx = await startNginx(streamsConf(options), { ports: 1 + (options.count ?? 1), ...under })
  return new Streams(nginx)
}

/** The configuration of {@link startStreams}, for reloads. */
export function streamsConf(options: StreamsOptions = {}): WriteConf {
  const inHttp = `
ingress_limits clients=4096 processes=64 request_status=503 connection_status=503;
ingress_stream_counters;
${options.inHttp ?? ""}`
  const inServer = `location = /streams { return 200 $ingress_stream_counters; } ${options.inServer ?? ""}`
  const plane = planeConf({ ...options, inHttp, inServer })
  return (site) => withStreams(plane(site), site, options)
}

function withStreams(conf: Conf, site: Site, options: StreamsOptions): Conf {
  if (typeof conf === "string") return conf
  const servers = site.ports.slice(1).flatMap((port) => [
    `
  server {
    listen 127.0.0.1:${port};
    ingress_stream_route tcp:${port};
    ${serverText(options)}
  }`,
    `
  server {
    listen 127.0.0.1:${port} udp reuseport;
    ingress_stream_route udp:${port};
    ${serverText(options)}
  }`,
  ])
  return {
    ...conf,
    main: `
load_module ${streamModule};
${conf.main}
${options.inMain ?? ""}
stream {
  log_format seen '$remote_addr $protocol $status "$proxy_upstream_name" "$ingress_stream_refusal" $namespace/$service_name:$service_port to $upstream_addr $bytes_received $bytes_sent';
  access_log ${site.dir}/stream.log seen;
  ${options.inStream ?? ""}
  upstream upstream_balancer {
    server 0.0.0.1:1;
    wasm_upstream_select max_tries=${options.tries ?? 3} key=$proxy_upstream_name fallback=backends/$proxy_upstream_name;
  }
  ${servers.join("")}
  ${tlsServer(site, options)}
  ${options.moreServers?.(site) ?? ""}
}`,
  }
}

/** What handshakes have in common; nobody connects to it. */
function tlsServer(site: Site, { inTlsServer = "" }: StreamsOptions): string {
  writeFileSync(`${site.dir}/streams.crt`, cert)
  writeFileSync(`${site.dir}/streams.key`, key)
  return `
  server {
    listen unix:${site.dir}/streams-tls.sock ssl;
    ssl_certificate ${site.dir}/streams.crt;
    ssl_certificate_key ${site.dir}/streams.key;
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_session_cache shared:streams:1m;
    ${inTlsServer}
    ingress_stream_certificates certificates;
    proxy_ssl on;
    proxy_ssl_protocols TLSv1.2 TLSv1.3;
    proxy_pass upstream_balancer;
  }`
}

/** A PAIR as it is posted. */
export function pairOf(id: string, identity: Identity): object {
  const chain = [identity, ...identity.issuers.slice(0, -1)].map(({ der }) => der.toString("base64"))
  return { id, chain, key: identity.key.export({ type: "pkcs8", format: "der" }).toString("base64") }
}

/** An AUTHORITY as it is posted. */
export function authorityOf(id: string, ...certificates: readonly Identity[]): object {
  return { id, certificates: certificates.map(({ der }) => der.toString("base64")), crls: [] }
}

function serverText({ inStreamServer = "" }: StreamsOptions): string {
  return `proxy_wasm balancer;
    ${inStreamServer}
    proxy_pass upstream_balancer;`
}

/** An endpoint that answers each piece with its name. */
export async function namedTargets(
  ...names: readonly string[]
): Promise<readonly Target[] & AsyncDisposable> {
  const targets = await Promise.all(names.map((name) => rawTarget(name)))
  return Object.assign(targets, {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(targets.map((target) => target[Symbol.asyncDispose]()))
    },
  })
}

/** Sends something and waits for the answer. */
export async function answerOf(client: Client, text = "?"): Promise<string> {
  const before = client.answer.length
  await client.send(text)
  await until("an answer", () => client.answer.length > before)
  return client.answer.subarray(before).toString("latin1")
}

/** A UDP endpoint. Each datagram is answered by what `answers` makes of it. */
export class UdpTarget implements AsyncDisposable {
  readonly #socket: Datagrams
  readonly received: { readonly text: string; readonly from: RemoteInfo }[] = []

  private constructor(socket: Datagrams, answers: (text: string) => readonly string[]) {
    this.#socket = socket
    socket.on("message", (bytes, from) => {
      this.received.push({ text: bytes.toString(), from })
      for (const answer of answers(bytes.toString())) socket.send(answer, from.port, from.address)
    })
  }

  static async start(answers: (text: string) => readonly string[]): Promise<UdpTarget> {
    const socket = createSocket("udp4")
    const target = new UdpTarget(socket, answers)
    await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
    return target
  }

  get address(): string {
    return `127.0.0.1:${(this.#socket.address() as AddressInfo).port}`
  }

  /** Answers everything that has come so far, once more. */
  answerAll(text: string): void {
    for (const { from } of this.received) this.#socket.send(text, from.port, from.address)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return new Promise((resolve) => this.#socket.close(() => resolve()))
  }
}

/** A UDP client with a port of its own, and everything that came back. */
export class UdpClient implements Disposable {
  readonly #socket: Datagrams
  readonly #port: number
  readonly #host: string
  readonly answers: string[] = []

  constructor(port: number, host = "127.0.0.1") {
    this.#port = port
    this.#host = host
    this.#socket = createSocket(isIPv6(host) ? "udp6" : "udp4")
    this.#socket.on("message", (bytes) => this.answers.push(bytes.toString())).on("error", () => {})
  }

  send(text: string): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#socket.send(text, this.#port, this.#host, (error) => (error ? reject(error) : resolve())),
    )
  }

  /** Sends it, and waits for so many answers. */
  async ask(text: string, count = 1): Promise<readonly string[]> {
    const before = this.answers.length
    await this.send(text)
    await until(`${count} answers to ${text}`, () => this.answers.length >= before + count)
    return this.answers.slice(before, before + count)
  }

  [Symbol.dispose](): void {
    this.#socket.close()
  }
}
