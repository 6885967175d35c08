import type { GeoEdition } from "../../model/geo-edition.ts"
import type { Problem } from "../../model/problem.ts"
import { sleep } from "../../support/abort.ts"
import { Failure, systemCode } from "../../support/failure.ts"
import { BadArchive, tarMember } from "./tar-member.ts"

// Databases come out of archives of MaxMind's, or of a mirror, into the directory where others look for them. The key is never told to anybody.

export interface DownloadsOptions {
  readonly editions: readonly GeoEdition[]
  /** `--maxmind-license-key`; "": none */
  readonly licenseKey: string
  /** `--maxmind-mirror`; "": MaxMind itself */
  readonly mirror: string
  /** attempts in a row where connections are refused */
  readonly attempts: number
  /** before the second one, half as much more before each further one; 0: there is no second one */
  readonly retryMs: number
  /** without end: it is not there */
  readonly ageMs: (edition: GeoEdition) => Promise<number>
  /** Never rejects but with what `bytes` throws, or a Failure. @returns what is wrong with it, a phrase that goes on after a colon: then it is not there */
  readonly store: (edition: GeoEdition, bytes: AsyncIterable<Uint8Array>) => Promise<string | undefined>
  /** there are other Problems than before */
  readonly changed: () => void
  readonly signal: AbortSignal
}

/** Databases are made twice a week; a controller that starts again and again asks for each once a day. */
const freshMs = 24 * 3_600_000
const againMs = 3_600_000

const maxArchiveBytes = 1024 ** 3
const maxDatabaseBytes = 2 * 1024 ** 3
const maxMs = 15 * 60_000

/** The server is not what it should be; the message fits after a colon. */
class Undelivered extends Error {}

/** Downloads databases that are not there, or a day old, and goes on doing so. Nobody waits for it. */
export class Downloads {
  readonly #options: DownloadsOptions
  readonly #problems = new Map<GeoEdition, Problem>()

  private constructor(options: DownloadsOptions) {
    this.#options = options
  }

  /** Begins, if there is anything to ask with. */
  static start(options: DownloadsOptions): Downloads {
    const downloads = new Downloads(options)
    if (options.licenseKey !== "" || options.mirror !== "") void downloads.#run()
    return downloads
  }

  problems(): readonly Problem[] {
    return [...this.#problems.values()]
  }

  async #run(): Promise<void> {
    const { editions, signal } = this.#options
    while (!signal.aborted) {
      for (const edition of editions) await this.#refresh(edition)
      await sleep(againMs, signal)
    }
  }

  async #refresh(edition: GeoEdition): Promise<void> {
    const { signal, changed, ageMs } = this.#options
    if (signal.aborted || (await ageMs(edition)) < freshMs) return
    const fault = await this.#attempt(edition)
    if (signal.aborted) return
    const before = this.#problems.get(edition)?.message
    if (fault === undefined) this.#problems.delete(edition)
    else this.#problems.set(edition, failed(edition, fault))
    if (this.#problems.get(edition)?.message !== before) changed()
  }

  /** What is wrong, if anything. Only where connections are refused another attempt follows soon. */
  async #attempt(edition: GeoEdition): Promise<string | undefined> {
    const { attempts, retryMs, signal } = this.#options
    for (let nth = 1; ; nth++) {
      const error = await this.#download(edition).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (error === undefined) return undefined
      const mayRetry = isRefused(error) && nth < attempts && retryMs > 0 && !signal.aborted
      if (!mayRetry) return reasonFor(error)
      await sleep(retryMs * 1.5 ** (nth - 1), signal)
    }
  }

  async #download(edition: GeoEdition): Promise<void> {
    const deadline = AbortSignal.any([this.#options.signal, AbortSignal.timeout(maxMs)])
    const answer = await fetch(this.#urlOf(edition), { signal: deadline })
    if (!answer.ok || answer.body === null) {
      await answer.body?.cancel()
      throw new Undelivered(`the server answers with status ${answer.status}`)
    }
    const archive = answer.body.pipeThrough(limited()).pipeThrough(new DecompressionStream("gzip"))
    const name = `${edition}.mmdb`
    const fault = await this.#options.store(edition, tarMember(archive, name, maxDatabaseBytes))
    if (fault !== undefined) throw new Undelivered(`${name} in the archive cannot be used: ${fault}`)
  }

  #urlOf(edition: GeoEdition): string {
    const { licenseKey, mirror } = this.#options
    if (mirror !== "") return `${mirror}/${edition}.tar.gz`
    const query = new URLSearchParams({ license_key: licenseKey, edition_id: edition, suffix: "tar.gz" })
    return `https://download.maxmind.com/app/geoip_download?${query}`
  }
}

/** Lets an archive pass that is not too large. */
function limited(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes <= maxArchiveBytes) controller.enqueue(chunk)
      else controller.error(new Undelivered(`the archive has more than ${maxArchiveBytes} bytes`))
    },
  })
}

function isRefused(error: unknown): boolean {
  return codeOf(error) === "ECONNREFUSED"
}

/** Of what `fetch` throws, which says what happened in its cause. */
function codeOf(error: unknown): string {
  return systemCode(error) || (error instanceof Error ? systemCode(error.cause) : "")
}

/** No text of others, which may have the URL and with it the key. */
function reasonFor(error: unknown): string {
  if (error instanceof Undelivered || error instanceof BadArchive) return error.message
  if (error instanceof Failure) return error.message
  const code = codeOf(error)
  if (code.startsWith("Z_")) return "what the server sends is no archive of gzip"
  if (code === "ECONNREFUSED") return "the server refuses connections"
  return error instanceof Error && error.name === "TimeoutError"
    ? "the server takes too long"
    : `the server cannot be reached (${code || "unknown error"})`
}

function failed(edition: GeoEdition, reason: string): Problem {
  const name = `${edition}.mmdb`
  return {
    object: { kind: "File", namespace: "", name },
    field: name,
    code: "geoip-download-failed",
    message: `Cannot download the GeoIP database ${edition}: ${reason}; it is tried again in an hour`,
  }
}
