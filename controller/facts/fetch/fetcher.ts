import type { IncomingMessage, RequestOptions } from "node:http"
import { systemCode } from "../../support/failure.ts"
import { request } from "../../support/http.ts"
import type { EndpointRules } from "../../support/judge-endpoint.ts"
import { Lanes } from "../../support/lanes.ts"
import type { Dns } from "../names/dns.ts"
import { isAddress, type Target, targetOf, usableAddress } from "./target.ts"

// Asks the servers that certificates name, which anybody may have chosen: no redirects, no lasting connections, little time, little memory. What comes
// is for others to judge, and is never told to anybody.

export interface FetchOptions {
  readonly dns: Pick<Dns, "lookup">
  /** whether this machine could reach an IPv6 address at all */
  readonly hasIpv6: boolean
  /** as of Services: nobody leads us to what listens on this machine only, nor to our own ports */
  readonly endpoints: () => EndpointRules
  readonly signal: AbortSignal
}

export interface Asking {
  readonly url: string
  /** to be sent by POST; absent: GET */
  readonly body?: { readonly type: string; readonly bytes: Uint8Array }
  /** no answer may be longer */
  readonly maxBytes: number
}

/** Reasons fit after a colon. */
export type Fetched =
  | { readonly kind: "answer"; readonly bytes: Uint8Array }
  | { readonly kind: "failed"; readonly reason: string }

/** Source: ingress-nginx, certificate.lua: 1 s to connect, 2 s between two pieces of the answer. Altogether it may not take much longer. */
const max = { connectMs: 1000, readMs: 2000, altogetherMs: 5000 }

const tooSlow = "it does not answer in time"
const closed = "it closes the connection"

/** Ends an exchange; the message is the reason. */
class Unanswered extends Error {}

/** Requests that run side by side, altogether and to one server: those that are slow must not hold up the others. */
const maxAtOnce = 16
const maxToOne = 4

export class Fetcher {
  readonly #options: FetchOptions
  readonly #lanes = new Lanes(maxAtOnce, maxToOne)

  constructor(options: FetchOptions) {
    this.#options = options
  }

  /** Never rejects. It may have to wait for its turn. */
  async fetch(asking: Asking): Promise<Fetched> {
    const verdict = targetOf(asking.url)
    return verdict.kind === "refused"
      ? failed(verdict.reason)
      : this.#lanes.run(verdict.target.authority, () => this.#fetch(verdict.target, asking))
  }

  async #fetch(target: Target, asking: Asking): Promise<Fetched> {
    const found = await this.#addressOf(target)
    if ("reason" in found) return failed(found.reason)
    try {
      const bytes = await exchange(target, found.address, asking, this.#options.signal)
      return { kind: "answer", bytes }
    } catch (error) {
      return failed(error instanceof Unanswered ? error.message : reasonOf(systemCode(error)))
    }
  }

  /** The one that is judged is the one that is connected to: a name may have another a moment later. */
  async #addressOf({
    host,
    port,
  }: Target): Promise<{ readonly address: string } | { readonly reason: string }> {
    const { dns, hasIpv6, endpoints } = this.#options
    if (isAddress(host)) return usableAddress([host], port, endpoints())
    const outcome = await dns.lookup(host, { withIpv6: hasIpv6, foundAs: undefined })
    return outcome.kind === "found" ? usableAddress(outcome.addresses, port, endpoints()) : outcome
  }
}

async function exchange(
  { port, path, authority }: Target,
  address: string,
  { body, maxBytes }: Asking,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const deadline = AbortSignal.timeout(max.altogetherMs)
  const options = {
    ...{ host: address, port, path, agent: false, signal: AbortSignal.any([signal, deadline]) },
    method: body === undefined ? "GET" : "POST",
    headers: {
      Host: authority,
      ...(body && { "Content-Type": body.type, "Content-Length": body.bytes.length }),
    },
  }
  try {
    return await bytesOf(await answerTo(options, body?.bytes), maxBytes)
  } catch (error) {
    if (deadline.aborted) throw new Unanswered(tooSlow)
    throw error
  }
}

function answerTo(options: RequestOptions, bytes: Uint8Array | undefined): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const asked = request(options, resolve).on("error", reject)
  asked.once("close", () => reject(new Unanswered(closed))) // as after status 101, which ends without an error
  asked.setTimeout(max.connectMs, () => asked.destroy(new Unanswered(tooSlow)))
  asked.once("socket", (socket) => socket.once("connect", () => socket.setTimeout(max.readMs)))
  asked.end(bytes)
  return promise
}

/** Leaving the loop ends the connection. */
async function bytesOf(answer: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  if (answer.statusCode !== 200) {
    answer.destroy()
    throw new Unanswered(`it answers with status ${answer.statusCode}`)
  }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of answer) {
    length += chunk.length
    if (length > maxBytes) throw new Unanswered(`it answers with more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Source: error codes of node:net and node:http. */
function reasonOf(code: string): string {
  switch (code) {
    case "ECONNREFUSED":
      return "nobody listens there"
    case "ETIMEDOUT":
      return tooSlow
    case "ECONNRESET":
    case "EPIPE":
      return closed
    default:
      return code.startsWith("HPE_")
        ? "it does not speak HTTP"
        : `it cannot be reached (${code || "unknown error"})`
  }
}

function failed(reason: string): Fetched {
  return { kind: "failed", reason }
}
