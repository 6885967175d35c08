import { isDeepStrictEqual } from "node:util"
import { type Authority, type Certificate, isSameCertificate } from "../../model/certificate.ts"
import { mirrorsOf } from "../../model/route.ts"
import { CountedList } from "../../support/incremental/counted-list.ts"
import type { DeclaredBackendTls } from "../declared/backend-tls.ts"
import type { Rule } from "../declared/rule.ts"
import type { RulesChange } from "./rules-change.ts"

/** What TLS towards the backends of rules, and towards authentication services, names: each once, in canonical order. Kept from pass to pass. */
export class RuleCertificates {
  readonly #certificates = new CountedList<Certificate>(({ id }) => id, isSameCertificate)
  readonly #authorities = new CountedList<Authority>(({ id }) => id, isDeepStrictEqual)

  followRules({ added, removed }: RulesChange): void {
    // First those that came: what they share with those that went stays the same object.
    for (const { certificate, authority } of added.flatMap(backendTlsOf)) {
      if (certificate) this.#certificates.add(certificate)
      if (authority) this.#authorities.add(authority)
    }
    for (const { certificate, authority } of removed.flatMap(backendTlsOf)) {
      if (certificate) this.#certificates.remove(certificate)
      if (authority) this.#authorities.remove(authority)
    }
  }

  get certificates(): readonly Certificate[] {
    return this.#certificates.items()
  }

  get authorities(): readonly Authority[] {
    return this.#authorities.items()
  }
}

function backendTlsOf(rule: Rule): readonly DeclaredBackendTls[] {
  const { access, proxying, split = [] } = rule
  const all = [
    proxying.backendTls,
    access.external?.tls,
    ...[...split, ...mirrorsOf(rule)].map(({ backendTls }) => backendTls),
  ]
  return all.filter((tls) => tls !== undefined)
}
