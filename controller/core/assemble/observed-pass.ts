import type { IngressBackends, Observed, ShownCertificate } from "../../model/observed.ts"
import type { MergedIngresses } from "../ingress/merge.ts"
import type { ResolvedBackend } from "./backends/resolved-backends.ts"
import { ingressBackends } from "./routes/source-backends.ts"
import { shownCertificates } from "./tls/shown-certificates.ts"

/** What one pass came to, kept until somebody asks. */
export class ObservedPass implements Observed {
  readonly #merged: MergedIngresses
  readonly #resolved: readonly ResolvedBackend[]

  /** @param resolved what `merged.backends` are, in the same order */
  constructor(merged: MergedIngresses, resolved: readonly ResolvedBackend[]) {
    this.#merged = merged
    this.#resolved = resolved
  }

  certificates(): readonly ShownCertificate[] {
    return shownCertificates(this.#merged.hosts, this.#merged.tls)
  }

  ingresses(): Iterable<IngressBackends> {
    return ingressBackends(this.#merged, this.#resolved)
  }
}
