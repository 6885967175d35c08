import type { IncomingMessage } from "node:http"
import * as https from "node:https"
import { type Agent, http } from "../../../support/http.ts"
import type { ApiRequest } from "../api.ts"
import type { Credentials } from "./credentials.ts"

/**
 * After so long without a byte the kernel asks whether the other end is still there, ten times within ten seconds (libuv): whoever vanished
 * without a word is noticed after 25 s.
 */
const keepAliveMs = 15_000

/** kube-apiserver closes idle connections after 90 s: earlier than that nobody sends a request into one that is being closed. */
const idleMs = 30_000

/** Requests that have an end share so many connections; those without have one each, of which there is one per kind. */
const maxConnections = 8

/**
 * Connections to one API server, kept between requests. Node keeps them apart by certificates and authorities: with new ones comes a new
 * connection, and the former ones end when they have nothing to do.
 */
export class Connections {
  readonly #server: URL
  readonly #userAgent: string
  readonly #agents: { readonly finite: Agent; readonly endless: Agent }

  constructor(server: URL, userAgent: string) {
    this.#server = server
    this.#userAgent = userAgent
    const { Agent } = server.protocol === "https:" ? https : http
    const options = { keepAlive: true, keepAliveMsecs: keepAliveMs, timeout: idleMs }
    this.#agents = {
      finite: new Agent({ ...options, maxSockets: maxConnections }),
      endless: new Agent(options),
    }
  }

  /**
   * Sends a request and waits for the head of the answer.
   *
   * @param signal ends it at any time, while the body is read, too
   */
  open(
    request: ApiRequest,
    credentials: Credentials,
    isEndless: boolean,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const body = request.body === undefined ? undefined : JSON.stringify(request.body)
    const options = {
      method: request.method,
      headers: { ...this.#headers(request, body), ...credentials.headers },
      agent: credentials.agent ?? (isEndless ? this.#agents.endless : this.#agents.finite),
      signal,
      ...credentials.tls,
    }
    const { request: begin } = this.#server.protocol === "https:" ? https : http
    begin(this.#url(request), options, resolve)
      .on("error", reject)
      .on("socket", (socket) => socket.setKeepAlive(true, keepAliveMs))
      .end(body)
    return promise
  }

  close(): void {
    this.#agents.finite.destroy()
    this.#agents.endless.destroy()
  }

  #url({ path, query = {} }: ApiRequest): URL {
    const url = new URL(this.#server)
    url.pathname = url.pathname.replace(/\/$/, "") + path
    url.search = new URLSearchParams(query).toString()
    return url
  }

  #headers(
    { accept = "application/json", contentType = "application/json" }: ApiRequest,
    body: string | undefined,
  ) {
    return {
      accept,
      "user-agent": this.#userAgent,
      ...(body !== undefined && { "content-type": contentType, "content-length": Buffer.byteLength(body) }),
    }
  }
}
