// Clients of HTTP/3: aioquic, which is Debian's package and so runs in Debian's Python; a process that keeps connections open between questions.
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { root } from "./paths.ts"
import { patienceMs } from "./until.ts"

/** What a handshake is made with. */
export interface Http3Target {
  readonly port: number
  /** default 127.0.0.1 */
  readonly host?: string
  readonly serverName?: string
  /** a certificate of the client's and its key, PEM */
  readonly identity?: { readonly pem: string; readonly keyPem: string }
  readonly timeoutMs?: number
}

export interface Http3Question {
  readonly method?: string
  readonly path?: string
  /** `:authority`; null: none is sent */
  readonly authority?: string | null
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: Uint8Array
  readonly timeoutMs?: number
}

export interface Http3Answer {
  readonly status: number
  /** of several with one name the last */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface ProbeSource {
  /** an address of this machine */
  readonly from: string
  /** the client shows the token that the server gives to another address */
  readonly tokenFor?: string
}

/** Bytes of a client, and of what the server said until it was silent for two seconds. */
export interface Probed {
  readonly sent: number
  readonly received: number
  /** of the first packet of each datagram of the server */
  readonly kinds: readonly ("initial" | "0-rtt" | "handshake" | "retry" | "short")[]
}

type Said = Readonly<Record<string, unknown>> & { readonly id: number; readonly error?: string }

export class Http3Clients implements Disposable {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #folder = mkdtempSync(join(tmpdir(), "http3-"))
  readonly #waiting = new Map<number, PromiseWithResolvers<Said>>()
  #questions = 0
  #identities = 0

  constructor() {
    execFileSync(join(root, "build/packages.sh"), ["python3-aioquic"], { stdio: "inherit" })
    this.#child = spawn("/usr/bin/python3", [join(import.meta.dirname, "http3.py")])
    this.#child.stderr.pipe(process.stderr)
    createInterface(this.#child.stdout).on("line", (line) => {
      const said = JSON.parse(line) as Said
      this.#waiting.get(said.id)?.resolve(said)
      this.#waiting.delete(said.id)
    })
    this.#child.once("exit", (code) => this.#ended(code))
  }

  /** @throws when the handshake does not succeed */
  async connect(target: Http3Target): Promise<Http3Connection> {
    const name = `c${this.#questions}`
    const { host = "127.0.0.1", port, serverName = "foo.test", identity, timeoutMs } = target
    const files = identity === undefined ? {} : this.#keep(identity)
    const { certificate } = await this.say(
      { do: "connect", connection: name, host, port, serverName, ...files },
      timeoutMs,
    )
    return new Http3Connection(this, name, String(certificate))
  }

  /** Begins a handshake and says nothing more, whatever comes. */
  async probe({ port, serverName = "foo.test", ...from }: Http3Target & ProbeSource): Promise<Probed> {
    const said = await this.say({ do: "probe", host: "127.0.0.1", port, serverName, seconds: 2, ...from })
    return said as unknown as Probed
  }

  /** One request on a connection of its own. */
  async ask(target: Http3Target, question: Http3Question = {}): Promise<Http3Answer> {
    const connection = await this.connect(target)
    try {
      return await connection.ask(question)
    } finally {
      await connection.close()
    }
  }

  /** @throws Error with what the client said is wrong */
  async say(question: Readonly<Record<string, unknown>>, timeoutMs: number = patienceMs): Promise<Said> {
    this.#questions += 1
    const id = this.#questions
    const waiting = Promise.withResolvers<Said>()
    this.#waiting.set(id, waiting)
    this.#child.stdin.write(`${JSON.stringify({ id, timeoutSeconds: timeoutMs / 1000, ...question })}\n`)
    const said = await waiting.promise
    if (said.error !== undefined) throw new Error(said.error)
    return said
  }

  [Symbol.dispose](): void {
    this.#child.kill("SIGKILL")
    rmSync(this.#folder, { recursive: true })
  }

  #keep({ pem, keyPem }: { readonly pem: string; readonly keyPem: string }) {
    this.#identities += 1
    const certificate = join(this.#folder, `${this.#identities}.pem`)
    const key = join(this.#folder, `${this.#identities}.key`)
    writeFileSync(certificate, pem)
    writeFileSync(key, keyPem)
    return { certificate, key }
  }

  #ended(code: number | null): void {
    for (const waiting of this.#waiting.values())
      waiting.reject(new Error(`The clients of HTTP/3 have ended with ${code}`))
    this.#waiting.clear()
  }
}

export class Http3Connection {
  readonly #clients: Http3Clients
  readonly #name: string
  /** of the server, PEM */
  readonly certificate: string

  constructor(clients: Http3Clients, name: string, certificate: string) {
    this.#clients = clients
    this.#name = name
    this.certificate = certificate
  }

  /** @throws when there is no whole answer */
  async ask(question: Http3Question = {}): Promise<Http3Answer> {
    const { method = "GET", path = "/", authority = "foo.test", headers = [], body, timeoutMs } = question
    const pseudo = [
      [":method", method],
      [":scheme", "https"],
      ...(authority === null ? [] : [[":authority", authority]]),
      [":path", path],
    ]
    const said = await this.#clients.say(
      {
        ...{ do: "ask", connection: this.#name, headers: [...pseudo, ...headers] },
        ...(body && { body: Buffer.from(body).toString("base64") }),
      },
      timeoutMs,
    )
    const answered = Object.fromEntries(said.headers as [string, string][])
    return {
      status: Number(answered[":status"]),
      headers: answered,
      body: Buffer.from(String(said.body), "base64"),
    }
  }

  /** Of each session ticket that the server has given so far: how many bytes the client may send with it before a handshake; 0: none. */
  async earlyDataBytes(): Promise<readonly number[]> {
    const said = await this.#clients.say({ do: "tickets", connection: this.#name })
    return said.earlyDataBytes as number[]
  }

  /** A second handshake from the same port, which this connection outlives or not. @throws when it does not succeed */
  async anew(serverName: string = "foo.test"): Promise<void> {
    await this.#clients.say({ do: "anew", connection: this.#name, serverName })
  }

  async close(): Promise<void> {
    await this.#clients.say({ do: "close", connection: this.#name })
  }
}
