import type { Authority, ClientVerification } from "../../model/certificate.ts"
import type { HostClientCertificate } from "../../model/route.ts"
import type { Rule } from "./rule.ts"

/** What the clients of a host have to show. */
export type ClientValidation = {
  /** where it is said, for Problems */
  readonly field: string
} & (
  | {
      readonly kind: "certificate"
      readonly authority: Authority
      readonly depth: ClientVerification["depth"]
      readonly certificate: HostClientCertificate
    }
  /** what it wants cannot be understood, so nobody is let in, on whatever path. It has a Problem */
  | { readonly kind: "nobody"; readonly root: Rule }
)
