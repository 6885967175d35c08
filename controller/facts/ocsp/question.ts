import { X509Certificate } from "node:crypto"
import type { Certificate } from "../../model/certificate.ts"
import { accessOf } from "../x509/access.ts"
import type { Issuer, Ocsp, OcspQuery } from "../x509/ocsp.ts"

/** Whether there is somebody to ask about a certificate. */
export type Question =
  | { readonly kind: "ask"; readonly responder: string; readonly query: OcspQuery }
  /** the certificate names no responder, as many do not */
  | { readonly kind: "nobody" }
  /** the reason fits after a colon */
  | { readonly kind: "impossible"; readonly reason: string }

/** As many as there usually are; tenants with authorities of their own must not fill the memory. */
const maxIssuers = 64

/** Finds out whom to ask about certificates, and what. Issuers are decoded once, as long as there are not too many. */
export class Questions {
  readonly #issuers = new Map<string, Issuer>()

  about({ chain }: Certificate, ocsp: Pick<Ocsp, "issuerOf" | "queryOf">): Question {
    const [leafText = "", issuerText] = chain
    try {
      const leaf = new X509Certificate(Buffer.from(leafText, "base64"))
      const { ocsp: responder } = accessOf(leaf)
      if (responder === undefined) return { kind: "nobody" }
      if (issuerText === undefined) return impossible("tls.crt has no certificate of the issuer behind it")
      const query = ocsp.queryOf(leaf, this.#issuer(issuerText, ocsp))
      if (query === undefined) return impossible("the second certificate in tls.crt did not issue the first")
      return { kind: "ask", responder, query }
    } catch {
      return impossible("tls.crt has a certificate that cannot be decoded")
    }
  }

  #issuer(text: string, { issuerOf }: Pick<Ocsp, "issuerOf">): Issuer {
    const issuer = this.#issuers.get(text) ?? issuerOf(Buffer.from(text, "base64"))
    this.#issuers.delete(text)
    this.#issuers.set(text, issuer)
    for (const oldest of this.#issuers.keys()) {
      if (this.#issuers.size <= maxIssuers) break
      this.#issuers.delete(oldest)
    }
    return issuer
  }
}

function impossible(reason: string): Question {
  return { kind: "impossible", reason }
}
