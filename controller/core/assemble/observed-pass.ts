import type { Observed, PortService, ShownCertificate, SourceBackends } from "../../model/observed.ts"
import type { Stream } from "../../model/stream.ts"
import type { Declarations } from "../declared/declarations.ts"
import type { ResolvedBackend } from "./backends/resolved-backends.ts"
import { portServices } from "./port-services.ts"
import { sourceBackends } from "./routes/source-backends.ts"
import { shownCertificates } from "./tls/shown-certificates.ts"
import type { MergedTls } from "./tls/tls-index.ts"

/** What one pass came to, kept until somebody asks. */
export class ObservedPass implements Observed {
  readonly #declared: Declarations
  readonly #tls: MergedTls
  readonly #resolved: readonly ResolvedBackend[]
  readonly #streams: readonly Stream[]

  /** @param resolved what `declared.backends` are, in the same order */
  constructor(
    declared: Declarations,
    tls: MergedTls,
    resolved: readonly ResolvedBackend[],
    streams: readonly Stream[],
  ) {
    this.#declared = declared
    this.#tls = tls
    this.#resolved = resolved
    this.#streams = streams
  }

  certificates(): readonly ShownCertificate[] {
    return shownCertificates(this.#declared.hosts, this.#tls)
  }

  sources(): Iterable<SourceBackends> {
    return sourceBackends(this.#declared, this.#resolved)
  }

  ports(): Iterable<PortService> {
    return portServices(this.#streams)
  }
}
