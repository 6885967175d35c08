import { createHash, X509Certificate } from "node:crypto"
import { retryMs } from "../../support/retry.ts"
import type { Upkeep } from "./upkeep.ts"

// URLs of issuers' certificates go in, the certificates come out. Each is fetched once: what a URL leads to does not change.

/** What is behind a URL. Reasons fit after a colon. */
export type FetchedIssuer =
  | { readonly kind: "unknown" }
  | { readonly kind: "found"; readonly certificate: X509Certificate }
  | { readonly kind: "failing"; readonly reason: string }

/** A URL that is wanted. */
interface Tracked {
  readonly url: string
  issuer: FetchedIssuer
  failures: number
  cancelTimer: () => void
}

const certificateBytes = 16_384
const failuresUntilTrouble = 3

const unknown: FetchedIssuer = { kind: "unknown" }

export class Issuers {
  readonly #options: Upkeep
  readonly #tracked = new Map<string, Tracked>()
  /** base64, by `nameOf(url)` */
  readonly #kept: Map<string, string>

  constructor(options: Upkeep) {
    this.#options = options
    this.#kept = new Map(options.kept)
    options.signal.addEventListener("abort", () => this.#rest(), { once: true })
  }

  /** What is known of a URL, which is fetched from now on. The same object while nothing changes. */
  at(url: string): FetchedIssuer {
    return (this.#tracked.get(url) ?? this.#track(url)).issuer
  }

  /** No others are fetched, and kept, any more. */
  keepOnly(urls: ReadonlySet<string>): void {
    for (const tracked of this.#tracked.values()) if (!urls.has(tracked.url)) this.#drop(tracked)
    this.#tidy()
  }

  #track(url: string): Tracked {
    const issuer = issuerIn(this.#kept.get(nameOf(url)) ?? "")
    const tracked: Tracked = { url, issuer, failures: 0, cancelTimer: () => {} }
    this.#tracked.set(url, tracked)
    if (issuer.kind === "unknown") this.#fetchIn(tracked, 0)
    return tracked
  }

  #drop(tracked: Tracked): void {
    tracked.cancelTimer()
    this.#tracked.delete(tracked.url)
  }

  /** Of those that nobody wants any more. */
  #tidy(): void {
    const names = new Set([...this.#tracked.keys()].map(nameOf))
    for (const name of this.#kept.keys()) {
      if (names.has(name)) continue
      this.#kept.delete(name)
      void this.#options.keeper.drop(name)
    }
  }

  #rest(): void {
    for (const { cancelTimer } of this.#tracked.values()) cancelTimer()
  }

  #fetchIn(tracked: Tracked, delayMs: number): void {
    if (this.#options.signal.aborted) return
    const timer = setTimeout(() => void this.#fetch(tracked), delayMs)
    tracked.cancelTimer = () => clearTimeout(timer)
  }

  async #fetch(tracked: Tracked): Promise<void> {
    const { url } = tracked
    const fetched = await this.#options.fetcher.fetch({ url, maxBytes: certificateBytes })
    if (this.#tracked.get(url) !== tracked) return
    if (fetched.kind === "failed") this.#failed(tracked, fetched.reason)
    else this.#take(tracked, Buffer.from(fetched.bytes).toString("base64"))
  }

  #take(tracked: Tracked, text: string): void {
    const issuer = issuerIn(text)
    if (issuer.kind === "unknown") {
      this.#failed(tracked, "what it answers is no certificate")
      return
    }
    const name = nameOf(tracked.url)
    this.#kept.set(name, text)
    void this.#options.keeper.keep(name, text)
    this.#tell(tracked, issuer)
  }

  #failed(tracked: Tracked, reason: string): void {
    tracked.failures += 1
    // One reason for the whole of an outage: the next attempt may fail in another way.
    if (tracked.failures === failuresUntilTrouble) this.#tell(tracked, { kind: "failing", reason })
    this.#fetchIn(tracked, retryMs(tracked.failures, (this.#options.random ?? Math.random)()))
  }

  #tell(tracked: Tracked, issuer: FetchedIssuer): void {
    tracked.issuer = issuer
    this.#options.changed()
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

function nameOf(url: string): string {
  return createHash("sha256").update(url).digest("hex").slice(0, 32)
}
