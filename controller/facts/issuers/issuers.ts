import { X509Certificate } from "node:crypto"
import { byContentName, contentName } from "../../support/content-name.ts"
import type { Fetching } from "../fetch/fetching.ts"
import { retryMs } from "../fetch/retry.ts"
import { type Step, Tracker } from "../tracker.ts"

// URLs of issuers' certificates go in, the certificates come out. Each is fetched once: what a URL leads to does not change.

/** What is behind a URL. Reasons fit after a colon. */
export type FetchedIssuer =
  | { readonly kind: "unknown" }
  | { readonly kind: "found"; readonly certificate: X509Certificate }
  | { readonly kind: "failing"; readonly reason: string }

interface Known {
  readonly issuer: FetchedIssuer
  /** attempts in a row that brought nothing */
  readonly failures: number
}

const certificateBytes = 16_384
const failuresUntilTrouble = 3

const unknown: FetchedIssuer = { kind: "unknown" }

export class Issuers {
  readonly #options: Fetching
  readonly #tracker: Tracker<string, Known, FetchedIssuer>
  /** base64, by `contentName(url)` */
  readonly #cached: Map<string, string>

  constructor(options: Fetching) {
    this.#options = options
    this.#cached = new Map(options.cached)
    const { changed, signal } = options
    this.#tracker = new Tracker<string, Known, FetchedIssuer>({
      begin: (url) => this.#begin(url),
      fetch: (url, known) => this.#fetch(url, known),
      view: ({ issuer }) => issuer,
      changed,
      signal,
    })
  }

  /** What is known of a URL, which is fetched from now on. The same object while nothing changes. */
  at(url: string): FetchedIssuer {
    if (!this.#tracker.has(url)) this.#tracker.track(url, url)
    return this.#tracker.view(url) ?? unknown
  }

  /** No others are fetched, and cached, any more. */
  keepOnly(urls: ReadonlySet<string>): void {
    this.#tracker.keepOnly(urls)
    const names = byContentName([...urls].map((url) => ({ name: contentName(url), url })))
    for (const name of this.#cached.keys()) {
      if (names.has(name)) continue
      this.#cached.delete(name)
      void this.#options.cache.remove(name)
    }
  }

  #begin(url: string): Step<Known> {
    const issuer = issuerIn(this.#cached.get(contentName(url)) ?? "")
    return { known: { issuer, failures: 0 }, ...(issuer.kind === "unknown" && { dueMs: 0 }) }
  }

  async #fetch(url: string, known: Known): Promise<Step<Known>> {
    const fetched = await this.#options.fetcher.fetch({ url, maxBytes: certificateBytes })
    if (fetched.kind === "failed") return this.#failed(known, fetched.reason)
    const text = Buffer.from(fetched.bytes).toString("base64")
    const issuer = issuerIn(text)
    if (issuer.kind === "unknown") return this.#failed(known, "what it answers is no certificate")
    if (this.#tracker.has(url)) this.#keep(contentName(url), text)
    return { known: { issuer, failures: 0 } }
  }

  #keep(name: string, text: string): void {
    this.#cached.set(name, text)
    void this.#options.cache.put(name, text)
  }

  /** One reason for the whole of an outage: the next attempt may fail in another way. */
  #failed(before: Known, reason: string): Step<Known> {
    const failures = before.failures + 1
    const issuer = failures === failuresUntilTrouble ? ({ kind: "failing", reason } as const) : before.issuer
    return {
      known: { issuer, failures },
      dueMs: retryMs(failures, (this.#options.random ?? Math.random)()),
    }
  }
}

/** DER as it should be (RFC 5280, 4.2.2.1), or PEM as it sometimes is. @param text base64 of it */
function issuerIn(text: string): FetchedIssuer {
  try {
    return { kind: "found", certificate: new X509Certificate(Buffer.from(text, "base64")) }
  } catch {
    return unknown
  }
}
