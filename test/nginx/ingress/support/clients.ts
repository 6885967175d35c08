// An ingress whose hosts ask for certificates, a backend that says what it was asked, and those who sign.
import { type Asked, Echo } from "../../../../harness/echo.ts"
import type { Answer, Question } from "../../../../harness/http.ts"
import { type Ingress, type IngressOptions, startIngress } from "../../../../harness/ingress/ingress.ts"
import { type ClientCertificate, type Route, recordOf } from "../../../../harness/ingress/records.ts"
import {
  type AuthorityRecord,
  authorityRecord,
  type TlsHost,
  tlsHostRecord,
} from "../../../../harness/ingress/tls-records.ts"
import { type Authority, type Identity, rootAuthority } from "../../../../harness/pki.ts"
import { TlsClient, type TlsClientOptions } from "../../../../harness/tls-client.ts"

/** What a host asks, and how deep the chains of certificates may be. */
export interface Asking extends Partial<ClientCertificate> {
  readonly depth?: number
}

export class ClientsSite implements AsyncDisposable {
  readonly ingress: Ingress
  readonly backend: Echo
  /** Signs good certificates; its id is "ca". */
  readonly ca: Authority
  /** Nobody's, so far. */
  readonly otherCa: Authority
  /** "CN=good,O=Shop", signed by `ca`. */
  readonly good: Identity

  constructor(ingress: Ingress, backend: Echo, ca: Authority, otherCa: Authority, good: Identity) {
    this.ingress = ingress
    this.backend = backend
    this.ca = ca
    this.otherCa = otherCa
    this.good = good
  }

  /** Puts certificates, and lists of revoked ones, in force under an id. */
  authority(id: string, record: AuthorityRecord): Promise<void> {
    return this.ingress.write(`authorities/${id}`, authorityRecord(record), "certificates")
  }

  /** Puts a host in force with what it asks, if it does; `verify` "on" and the authority "ca" if nothing else is said. */
  async host(host: string, asking: Asking | undefined, routes: readonly Route[] = [{}]): Promise<void> {
    const { depth, ...rest } = asking ?? {}
    const asked: ClientCertificate | undefined = asking && { authority: "ca", verify: "on", ...rest }
    await this.ingress.write(`hosts/${host}`, tlsHostRecord(handshakeOf(asked, depth)), "certificates")
    await this.ingress.write(`main/${host}`, recordOf(routes, asked))
  }

  /** A connection to the port for TLS. */
  connect(options: TlsClientOptions): Promise<TlsClient> {
    return TlsClient.connect(this.ingress.tlsPort, options)
  }

  /** A request on a connection of its own, for the host that it names in its handshake unless said otherwise. */
  async ask(question: Question, options: TlsClientOptions = {}): Promise<Answer> {
    await using client = await this.connect({ servername: question.host ?? "", ...options })
    return await client.ask(question)
  }

  /** The request as the backend got it; throws when it did not get there. */
  async seen(question: Question, options: TlsClientOptions = {}): Promise<Asked> {
    const { status, body } = await this.ask(question, options)
    if (status !== 200) throw new Error(`${status} ${body}`)
    return JSON.parse(body)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.ingress[Symbol.asyncDispose]()
    await this.backend[Symbol.asyncDispose]()
  }
}

export async function startClients(options: Omit<IngressOptions, "tls"> = {}): Promise<ClientsSite> {
  const [ca, otherCa] = await Promise.all([rootAuthority({ cn: "ca" }), rootAuthority({ cn: "other" })])
  const good = await ca.issue({ cn: "good", organization: "Shop" })
  const backend = await new Echo().start()
  const ingress = await startIngress({
    ...options,
    locations: `location @plain { proxy_pass http://127.0.0.1:${backend.port}; } ${options.locations ?? ""}`,
    tls: "ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache shared:tests:1m; ssl_session_tickets off; ingress_certificates certificates;",
  })
  const site = new ClientsSite(ingress, backend, ca, otherCa, good)
  await site.authority("ca", { certificates: [ca] })
  return site
}

function handshakeOf(asked: ClientCertificate | undefined, depth: number | undefined): TlsHost {
  if (asked === undefined || asked.verify === "off") return {}
  const { authority, verify } = asked
  return { authority, verify, ...(depth !== undefined && { depth }) }
}
