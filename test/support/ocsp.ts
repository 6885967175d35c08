// An OCSP responder: what it answers is up to the test.
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as asn1 from "asn1js"
import * as pkijs from "pkijs"
import { keptMs } from "../../harness/http.ts"
import { cryptoKey, type Identity, keyHash } from "../../harness/pki.ts"

export interface ResponseWanted {
  readonly about: Identity
  /** default `good` */
  readonly status?: "good" | "revoked" | "unknown"
  /** who signs; default: who issued the certificate */
  readonly by?: Identity
  /** default: the signer's, unless that is the issuer */
  readonly certificates?: readonly Identity[]
  /** the signer is named by its key, not by its name */
  readonly namesKey?: boolean
  /** default: a minute ago */
  readonly from?: Date
  /** default: in 7 days; null: it does not say */
  readonly until?: Date | null
  /** text of a GeneralizedTime; default: `from` */
  readonly revokedAt?: string
  /** of the names in it; default SHA-1 */
  readonly hash?: "SHA-1" | "SHA-256"
}

const minuteMs = 60_000
/** To the second, as such times are written. */
const inMs = (ms: number) => new Date(Math.floor((Date.now() + ms) / 1000) * 1000)

/** DER of a response. */
export async function ocspResponse(wanted: ResponseWanted): Promise<Buffer> {
  const { about, by = issuerOf(about), namesKey = false } = wanted
  const { certificates = by === issuerOf(about) ? [] : [by] } = wanted
  const signer = pkijs.Certificate.fromBER(by.der)
  const basic = new pkijs.BasicOCSPResponse({
    tbsResponseData: new pkijs.ResponseData({
      responderID: namesKey
        ? new asn1.OctetString({ valueHex: keyHash(by.certificate.publicKey) })
        : signer.subject,
      producedAt: inMs(0),
      responses: [await single(wanted)],
    }),
    ...(certificates.length > 0 && { certs: certificates.map(({ der }) => pkijs.Certificate.fromBER(der)) }),
  })
  await basic.sign(cryptoKey(by.key), "SHA-256")
  return responseOf(0, basic.toSchema().toBER())
}

/** DER of a response without an answer. @param status as of RFC 6960, 4.2.1 */
export function ocspRefusal(status: number): Buffer {
  return responseOf(status)
}

function responseOf(status: number, basic?: ArrayBuffer): Buffer {
  const bytes = basic && {
    responseBytes: new pkijs.ResponseBytes({
      responseType: "1.3.6.1.5.5.7.48.1.1",
      response: new asn1.OctetString({ valueHex: basic }),
    }),
  }
  const responseStatus = new asn1.Enumerated({ value: status })
  return Buffer.from(new pkijs.OCSPResponse({ responseStatus, ...bytes }).toSchema().toBER())
}

async function single(wanted: ResponseWanted): Promise<pkijs.SingleResponse> {
  const { about, from = inMs(-minuteMs), until = inMs(7 * 24 * 60 * minuteMs), hash = "SHA-1" } = wanted
  const certID = await pkijs.CertID.create(pkijs.Certificate.fromBER(about.der), {
    hashAlgorithm: hash,
    issuerCertificate: pkijs.Certificate.fromBER(issuerOf(about).der),
  })
  const certStatus = statusOf(wanted, from)
  return new pkijs.SingleResponse({
    certID,
    certStatus,
    thisUpdate: from,
    ...(until && { nextUpdate: until }),
  })
}

function statusOf({ status = "good", revokedAt }: ResponseWanted, at: Date): asn1.BaseBlock {
  const tag = (tagNumber: number) => ({ idBlock: { tagClass: 3, tagNumber } })
  if (status === "good") return new asn1.Primitive({ ...tag(0) })
  if (status === "unknown") return new asn1.Primitive({ ...tag(2) })
  const time =
    revokedAt === undefined
      ? new asn1.GeneralizedTime({ valueDate: at })
      : new asn1.Primitive({ idBlock: { tagClass: 1, tagNumber: 24 }, valueHex: Buffer.from(revokedAt) })
  return new asn1.Constructed({ ...tag(1), value: [time] })
}

function issuerOf({ issuers }: Identity): Identity {
  const [issuer] = issuers
  if (issuer === undefined) throw new Error("Nobody issued this certificate")
  return issuer
}

export type Answering = (request: Buffer, response: ServerResponse) => void | Promise<void>

/** A responder on a free port of 127.0.0.1. */
export class Responder implements AsyncDisposable {
  /** what it does with a request; whatever is wrong with that answers 500 */
  answering: Answering
  /** bodies that came */
  readonly requests: Buffer[] = []
  readonly #server: Server

  private constructor(server: Server, answering: Answering) {
    this.#server = server
    this.answering = answering
    server.on("request", (request, response) => {
      this.#answer(request, response).catch(() => response.writeHead(500).end())
    })
  }

  static async start(answering: Answering): Promise<Responder> {
    const server = createServer({ keepAliveTimeout: keptMs }).listen(0, "127.0.0.1")
    await once(server, "listening")
    return new Responder(server, answering)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/ocsp`
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray())
    this.requests.push(body)
    await this.answering(body, response)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await this.#server[Symbol.asyncDispose]()
  }
}

/** Answers with this response, once it is made. */
export function answeringWith(response: Buffer | Promise<Buffer>): Answering {
  return async (_, to) => {
    to.setHeader("Content-Type", "application/ocsp-response").end(await response)
  }
}
