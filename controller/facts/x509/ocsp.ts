import { hash, verify, X509Certificate } from "node:crypto"
import { fromBER, Integer, Null, OctetString } from "asn1js"
import {
  AlgorithmIdentifier,
  BasicOCSPResponse,
  CertID,
  Certificate,
  OCSPRequest,
  OCSPResponse,
  RelativeDistinguishedNames,
  Request,
  type SingleResponse,
  TBSRequest,
} from "pkijs"

// OCSP without the network: what to ask about a certificate, and what an answer is worth. Source: RFC 6960, profile RFC 5019.

/** What this file does. It brings PKI.js along, 8 MB, and so is imported when somebody has to be asked. */
export interface Ocsp {
  readonly issuerOf: typeof issuerOf
  readonly queryOf: typeof queryOf
  readonly requestFor: typeof requestFor
  readonly judgeResponse: typeof judgeResponse
}

/** An issuer of certificates, decoded. */
export interface Issuer {
  readonly certificate: X509Certificate
  readonly decoded: Certificate
  /** DER */
  readonly name: Uint8Array
  /** without what kind of key it is */
  readonly key: Uint8Array
}

/** What a responder is asked about: a certificate by its issuer and number. */
export interface OcspQuery {
  readonly serial: bigint
  readonly issuer: Issuer
}

/** What a response says that can be trusted, or why it cannot be. Reasons fit after a colon; they never have words of the response. */
export type OcspVerdict =
  | { readonly kind: "good"; readonly untilMs: number }
  | { readonly kind: "revoked"; readonly sinceMs: number }
  | { readonly kind: "unusable"; readonly reason: string }

/** Clocks differ: so much may a response be from the future. As nginx. */
const skewMs = 300_000

/** How long a response holds that does not say so itself. As Firefox. */
const undatedMs = 86_400_000

/** Takes a millisecond: worth keeping. @throws Error when the bytes are no certificate */
export function issuerOf(der: Uint8Array): Issuer {
  const decoded = Certificate.fromBER(der)
  return {
    certificate: new X509Certificate(der),
    decoded,
    name: new Uint8Array(decoded.subject.toSchema().toBER()),
    key: keyBits(decoded),
  }
}

/** undefined: somebody else issued the certificate. */
export function queryOf(leaf: X509Certificate, issuer: Issuer): OcspQuery | undefined {
  const isIssuer = leaf.checkIssued(issuer.certificate) && leaf.verify(issuer.certificate.publicKey)
  return isIssuer ? { serial: BigInt(`0x${leaf.serialNumber}`), issuer } : undefined
}

/** What a responder is asked, in DER. Names are hashed with SHA-1: it is all that every responder knows (RFC 5019, 2.1.1). */
export function requestFor({ serial, issuer }: OcspQuery): Uint8Array {
  const sha1 = "1.3.14.3.2.26"
  const reqCert = new CertID({
    hashAlgorithm: new AlgorithmIdentifier({ algorithmId: sha1, algorithmParams: new Null() }),
    issuerNameHash: new OctetString({ valueHex: digest("sha1", issuer.name) }),
    issuerKeyHash: new OctetString({ valueHex: digest("sha1", issuer.key) }),
    serialNumber: Integer.fromBigInt(serial),
  })
  const tbsRequest = new TBSRequest({ requestList: [new Request({ reqCert })] })
  return new Uint8Array(new OCSPRequest({ tbsRequest }).toSchema(true).toBER())
}

/** Judges what came as the answer, whatever it may be. */
export function judgeResponse(query: OcspQuery, der: Uint8Array, nowMs: number): OcspVerdict {
  try {
    return verdictOf(query, der, nowMs)
  } catch (error) {
    const reason = error instanceof Unusable ? error.message : "it is no OCSP response"
    return { kind: "unusable", reason }
  }
}

/** Ends the examination of a response. */
class Unusable extends Error {}

function verdictOf(query: OcspQuery, der: Uint8Array, nowMs: number): OcspVerdict {
  const response = basicResponse(der)
  const single = response.tbsResponseData.responses.find((one) => isAbout(query, one))
  if (single === undefined) throw new Unusable("it is about another certificate")
  checkSignature(response, query, nowMs)
  const untilMs = validUntil(single, nowMs)
  const { tagNumber } = single.certStatus.idBlock
  if (tagNumber === 0) return { kind: "good", untilMs }
  if (tagNumber === 1) return { kind: "revoked", sinceMs: revocationTime(single) }
  throw new Unusable("the responder does not know the certificate")
}

/** Source: RFC 6960, 4.2.1, OCSPResponseStatus. */
const refusals: Readonly<Record<number, string>> = {
  1: "malformedRequest",
  2: "internalError",
  3: "tryLater",
  5: "sigRequired",
  6: "unauthorized",
}

const basicType = "1.3.6.1.5.5.7.48.1.1"

function basicResponse(der: Uint8Array): BasicOCSPResponse {
  checkEnd(der)
  const { responseStatus, responseBytes } = OCSPResponse.fromBER(der)
  const status = responseStatus.valueBlock.valueDec
  if (status !== 0) throw new Unusable(`the responder says ${refusals[status] ?? `status ${status}`}`)
  if (responseBytes?.responseType !== basicType) throw new Unusable("it is of another type than basic")
  return BasicOCSPResponse.fromBER(new Uint8Array(responseBytes.response.valueBlock.valueHexView))
}

/** Bytes behind the response would be stapled with it. */
function checkEnd(der: Uint8Array): void {
  if (fromBER(der).offset !== der.byteLength) throw new Unusable("it is no OCSP response")
}

function isAbout({ serial, issuer }: OcspQuery, { certID }: SingleResponse): boolean {
  const algorithm = certIdHashes[certID.hashAlgorithm.algorithmId]
  return (
    algorithm !== undefined &&
    certID.serialNumber.toBigInt() === serial &&
    areEqual(certID.issuerNameHash.valueBlock.valueHexView, digest(algorithm, issuer.name)) &&
    areEqual(certID.issuerKeyHash.valueBlock.valueHexView, digest(algorithm, issuer.key))
  )
}

const certIdHashes: Readonly<Record<string, string>> = {
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
}

function keyBits({ subjectPublicKeyInfo }: Certificate): Uint8Array {
  return subjectPublicKeyInfo.subjectPublicKey.valueBlock.valueHexView
}

function digest(algorithm: string, bytes: Uint8Array): Uint8Array {
  return new Uint8Array(hash(algorithm, bytes, "buffer"))
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

/** Signatures that are taken, by OID: with which kind of key, and which digest. */
const signatures: Readonly<Record<string, readonly [keyType: string, digest: string | null]>> = {
  "1.2.840.113549.1.1.11": ["rsa", "sha256"],
  "1.2.840.113549.1.1.12": ["rsa", "sha384"],
  "1.2.840.113549.1.1.13": ["rsa", "sha512"],
  "1.2.840.10045.4.3.2": ["ec", "sha256"],
  "1.2.840.10045.4.3.3": ["ec", "sha384"],
  "1.2.840.10045.4.3.4": ["ec", "sha512"],
  "1.3.101.112": ["ed25519", null],
}

function checkSignature(response: BasicOCSPResponse, query: OcspQuery, nowMs: number): void {
  const { publicKey } = signerOf(response, query, nowMs)
  const [keyType, digestName] = signatures[response.signatureAlgorithm.algorithmId] ?? []
  if (keyType !== publicKey.asymmetricKeyType || digestName === undefined) {
    throw new Unusable("its kind of signature is not supported")
  }
  const signature = response.signature.valueBlock.valueHexView
  const isGenuine = verify(digestName, response.tbsResponseData.tbsView, publicKey, signature)
  if (!isGenuine) throw new Unusable("its signature is wrong")
}

/** The signer that a response names: the issuer, or somebody to whom the issuer itself gave the right (RFC 6960, 4.2.2.2). */
function signerOf(response: BasicOCSPResponse, { issuer }: OcspQuery, nowMs: number): X509Certificate {
  if (isResponder(response, issuer.decoded)) return issuer.certificate
  const delegate = response.certs?.find((certificate) => isResponder(response, certificate))
  if (delegate === undefined) throw new Unusable("it is signed by somebody else")
  const certificate = new X509Certificate(new Uint8Array(delegate.toSchema().toBER()))
  checkDelegate(certificate, issuer.certificate, nowMs)
  return certificate
}

function isResponder({ tbsResponseData: { responderID } }: BasicOCSPResponse, one: Certificate): boolean {
  return responderID instanceof RelativeDistinguishedNames
    ? responderID.isEqual(one.subject)
    : areEqual(responderID.valueBlock.valueHexView, digest("sha1", keyBits(one)))
}

const ocspSigning = "1.3.6.1.5.5.7.3.9"

function checkDelegate(delegate: X509Certificate, issuer: X509Certificate, nowMs: number): void {
  if (!delegate.checkIssued(issuer) || !delegate.verify(issuer.publicKey)) {
    throw new Unusable("it is signed by somebody whom the issuer does not know")
  }
  if (!delegate.keyUsage?.includes(ocspSigning)) {
    throw new Unusable("it is signed by somebody who has no right to")
  }
  if (delegate.validToDate.getTime() < nowMs || delegate.validFromDate.getTime() > nowMs + skewMs) {
    throw new Unusable("the certificate of its signer is not valid now")
  }
}

function validUntil({ thisUpdate, nextUpdate }: SingleResponse, nowMs: number): number {
  if (thisUpdate.getTime() > nowMs + skewMs) throw new Unusable("it is not valid yet")
  const untilMs = nextUpdate?.getTime() ?? thisUpdate.getTime() + undatedMs
  if (!(untilMs > nowMs)) throw new Unusable("it is not valid any more")
  return untilMs
}

/** The first thing in what tells that it was revoked. */
function revocationTime({ certStatus }: SingleResponse): number {
  const ms = certStatus.valueBlock.value[0].toDate().getTime()
  if (!Number.isFinite(ms)) throw new Unusable("it is no OCSP response")
  return ms
}
