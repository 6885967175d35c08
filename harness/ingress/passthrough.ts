// A real nginx that hands connections on by their server name, in front of targets that tell what came to them.
import { writeFileSync } from "node:fs"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { hostPort } from "../../controller/support/address.ts"
import { field, recordOf } from "../../wire/encode.ts"
import { records } from "../../wire/schema.ts"
import { ask } from "../http.ts"
import { type Conf, type Nginx, type Site, startNginx } from "../nginx.ts"
import { selfSignedIdentity } from "../pki.ts"
import { streamModule } from "../stream-module.ts"
import { cert, key } from "../tls.ts"
import { zoneWriter } from "./zone-writer.ts"

export interface PassthroughOptions {
  /** further parameters of `listen`, default none */
  readonly listen?: string
  /** a further `listen`, on the second port */
  readonly other?: (port: number) => string
  /** further parameters of `ingress_passthrough` */
  readonly parameters?: string
  /** text inside the server block */
  readonly server?: string
  /** text of the stream server */
  readonly stream?: string
  /** text of the main context */
  readonly main?: string
  readonly workers?: number
  /** without the directive */
  readonly isOff?: boolean
  readonly under?: readonly string[]
}

export class Passing implements AsyncDisposable {
  readonly nginx: Nginx
  constructor(nginx: Nginx) {
    this.nginx = nginx
  }

  get port(): number {
    return this.nginx.port
  }

  /** Hands connections for `host` to the backend of this name, here an `address:port`; none takes it back. */
  pass(host: string, backend?: string): Promise<void> {
    return this.write(host, backend === undefined ? undefined : passthroughRecord(backend))
  }

  async write(host: string, record: Uint8Array | undefined): Promise<void> {
    const path = `/passthroughs/${host}`
    const question = record === undefined ? { method: "DELETE" } : { method: "PUT", body: record }
    const answer = await ask({ socketPath: this.nginx.site.socket }, { path, ...question })
    if (answer.status !== 204) throw new Error(`The zone did not take ${host}: ${answer.status}`)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.nginx.stop()
  }
}

export async function startPassing(options: PassthroughOptions = {}): Promise<Passing> {
  const writer = await zoneWriter()
  const under = options.under === undefined ? {} : { under: options.under }
  return new Passing(await startNginx((site) => passingConf(site, writer, options), { ports: 2, ...under }))
}

/** The configuration of {@link startPassing}, for reloads. */
export function passingConf(site: Site, writer: string, options: PassthroughOptions): Conf {
  writeFileSync(`${site.dir}/tls.crt`, cert)
  writeFileSync(`${site.dir}/tls.key`, key)
  const socket = `unix:${site.dir}/passthrough.sock`
  const directive = `ingress_passthrough passthroughs ${socket} ${options.parameters ?? ""};`
  return {
    workers: options.workers ?? 1,
    main: `
load_module ${site.modules}/ngx_http_ingress_module.so;
load_module ${streamModule};
load_module ${writer};
${options.main ?? ""}
stream {
  log_format seen "$remote_addr $status $proxy_protocol_addr:$proxy_protocol_port to $upstream_addr";
  access_log ${site.dir}/stream.log seen;
  server {
    listen ${socket};
    proxy_connect_timeout 2s;
    ${options.stream ?? ""}
    proxy_pass $proxy_upstream_name;
  }
}`,
    http: `
zone_writer passthroughs 1m;
server {
  listen unix:${site.socket};
  location / { zone_write passthroughs; }
  location /status { stub_status; }
}
server {
  listen 127.0.0.1:${site.port} ssl ${options.listen ?? ""};
  ${options.other?.(site.ports[1] ?? 0) ?? ""}
  ssl_certificate ${site.dir}/tls.crt;
  ssl_certificate_key ${site.dir}/tls.key;
  ${options.isOff ? "" : directive}
  ${options.server ?? ""}
  location / { return 200 "own $remote_addr"; }
}`,
  }
}

/** As docs/wire.md 2 has it. */
export function passthroughRecord(backend: string): Buffer {
  return recordOf(records.passthrough.version, field(2, Buffer.from(backend)))
}

export interface Target extends AsyncDisposable {
  readonly address: string
  /** everything that came, by connection */
  readonly received: Buffer[]
  readonly sockets: ReadonlySet<Socket>
}

/** Takes what comes, and answers each piece with `greeting`. @param port 0: any */
export function rawTarget(greeting = "", host = "127.0.0.1", port = 0): Promise<Target> {
  const received: Buffer[] = []
  return listening(
    (sockets) =>
      createServer({ allowHalfOpen: true }, (socket) => {
        const at = received.push(Buffer.alloc(0)) - 1
        sockets.add(socket)
        socket.on("error", () => {}).on("end", () => socket.end())
        socket.on("data", (chunk) => {
          received[at] = Buffer.concat([received[at] ?? Buffer.alloc(0), chunk])
          if (greeting !== "") socket.write(greeting)
        })
      }),
    received,
    host,
    port,
  )
}

/** Ends TLS by a certificate of its own, `target.test`, and says what it has seen of the client. */
export async function tlsTarget(): Promise<Target> {
  const { chainPem, keyPem } = await selfSignedIdentity({ names: ["target.test"] })
  const options = { cert: chainPem, key: keyPem, requestCert: true, rejectUnauthorized: false }
  return listening((sockets) => {
    const server = createTlsServer({ ...options, ALPNProtocols: ["own/1"] }, (socket) => {
      const subject = socket.getPeerCertificate().subject?.CN ?? "nobody"
      socket.on("error", () => {}).end(`${socket.alpnProtocol} ${subject}`)
    })
    server.on("connection", (socket) => sockets.add(socket))
    return server
  })
}

async function listening(
  make: (sockets: Set<Socket>) => Server,
  received: Buffer[] = [],
  host = "127.0.0.1",
  wanted = 0,
): Promise<Target> {
  const sockets = new Set<Socket>()
  const server = make(sockets)
  await new Promise<void>((resolve) => server.listen(wanted, host, 2048, resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: hostPort(host, port),
    received,
    sockets,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** A raw connection, and everything that came back. */
export class Client implements Disposable {
  readonly socket: Socket
  readonly #chunks: Buffer[] = []
  readonly closed: Promise<void>

  constructor(port: number, host = "127.0.0.1") {
    this.socket = connect({ port, host, allowHalfOpen: true, noDelay: true })
    this.closed = new Promise((resolve) => this.socket.once("close", () => resolve()))
    this.socket.on("error", () => {})
    this.socket.on("data", (chunk: Buffer) => this.#chunks.push(chunk))
    this.socket.on("end", () => this.socket.end())
  }

  get answer(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  send(bytes: Uint8Array | string): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()))
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }
}
