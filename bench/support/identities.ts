// Ten thousand real certificates: each with a key of its own (EC P-256), all signed by one intermediate authority.
import { hash } from "node:crypto"
import type { Certificate, TlsHost } from "../../controller/model/certificate.ts"
import { SecretText } from "../../controller/model/secret-file.ts"
import { type Authority, rootAuthority } from "../../harness/pki.ts"

/** Issues certificates one after the other; `nth` is in their names and tells them apart. */
export class Issuer {
  readonly #authority: Authority

  private constructor(authority: Authority) {
    this.#authority = authority
  }

  static async make(): Promise<Issuer> {
    const root = await rootAuthority()
    return new Issuer(await root.intermediate())
  }

  /** The leaf and the intermediate, as a handshake sends them. */
  async issue(name: string): Promise<Certificate> {
    const { der, key } = await this.#authority.issue({ names: [name] })
    const chain = [der, this.#authority.der].map((bytes) => bytes.toString("base64"))
    const pkcs8 = key.export({ type: "pkcs8", format: "der" }).toString("base64")
    return { id: hash("sha256", [...chain, pkcs8].join(), "base64url"), chain, key: new SecretText(pkcs8) }
  }
}

/** The host that is served with a certificate. */
export function tlsHost(host: string, { id }: Certificate): TlsHost {
  return { host, certificates: [id] }
}
