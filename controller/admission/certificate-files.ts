import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { createSecureContext } from "node:tls"
import { sleep } from "../support/abort.ts"
import { reasonOf, systemCode } from "../support/failure.ts"
import type { Log } from "../support/log.ts"

/** PEM of a certificate, with or without its chain, and its key. */
export interface Pair {
  readonly cert: string
  readonly key: string
}

export interface CertificateFilesOptions {
  /** `--validating-webhook-certificate` */
  readonly certificate: string
  /** `--validating-webhook-key` */
  readonly key: string
  /** there is another pair, and it fits */
  readonly changed: (pair: Pair) => void
  readonly log: Pick<Log, "info" | "warn">
  /** how often it is looked whether the files have changed, milliseconds */
  readonly lookMs?: number
}

/** The kubelet renews a mounted Secret once a minute; two calls of stat cost nothing. */
const usualLookMs = 1000

/**
 * Keeps an eye on the two files of a certificate. A pair counts when both files can be read and belong together: of one that is being written the
 * pair before stays, and one that is not there yet is waited for.
 */
export class CertificateFiles {
  readonly #options: CertificateFilesOptions
  #seen = ""
  #pair: Pair | undefined
  #fault = ""

  constructor(options: CertificateFilesOptions) {
    this.#options = options
  }

  /** Ends when the signal aborts; has looked once when its first look is done. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look()
      await sleep(this.#options.lookMs ?? usualLookMs, signal)
    }
  }

  /** Looks now. Never rejects: what is wrong is said once, until something else is. */
  async look(): Promise<void> {
    const { certificate, key } = this.#options
    try {
      const marks = JSON.stringify([await mark(certificate), await mark(key)])
      // a pair that did not fit is read again: the clock of a file system may be too coarse to tell two writes apart
      if (marks === this.#seen && this.#fault === "") return
      this.#seen = marks
      this.#take({ cert: await readFile(certificate, "utf8"), key: await readFile(key, "utf8") })
    } catch (error) {
      this.#complain(systemCode(error) === "ENOENT" ? "missing" : reasonOf(error))
    }
  }

  /** @throws what OpenSSL finds wrong with it */
  #take(pair: Pair): void {
    const before = this.#pair
    if (before?.cert === pair.cert && before.key === pair.key) {
      this.#fault = ""
      return
    }
    const leaf = new X509Certificate(pair.cert)
    if (!leaf.checkPrivateKey(createPrivateKey(pair.key))) throw new Error("the key is another certificate's")
    createSecureContext(pair)
    this.#pair = pair
    this.#fault = ""
    this.#options.changed(pair)
    this.#options.log.info(
      { names: leaf.subjectAltName, until: leaf.validToDate.toISOString() },
      "Certificate of the admission webhook is in use",
    )
  }

  #complain(fault: string): void {
    if (fault === this.#fault) return
    this.#fault = fault
    const { certificate, key, log } = this.#options
    const detail = fault === "missing" ? "a file is not there yet" : fault
    const until = this.#pair === undefined ? "nobody can ask it" : "the one before stays in use"
    log.warn({ certificate, key, detail }, `Certificate of the admission webhook cannot be used: ${until}`)
  }
}

/** Tells versions of a file apart, also where a link leads to another file. */
async function mark(file: string): Promise<string> {
  const { ino, size, mtimeNs } = await stat(file, { bigint: true })
  return `${ino} ${size} ${mtimeNs}`
}
