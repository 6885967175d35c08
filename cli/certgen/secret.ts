import { vouchedFor } from "../../controller/facts/x509/vouched-for.ts"
import { recordOf } from "../../controller/model/objects/reader.ts"
import { Failure } from "../../controller/support/failure.ts"
import { base64, type Json, read, type Send, type Surroundings, withoutConflict } from "./objects.ts"
import { bundle, type KeptPair, staleness } from "./pair.ts"
import { trust, type WantedWebhooks } from "./webhooks.ts"

/** What Secret there is to be, and whose certificate is in it. */
export interface WantedSecret {
  readonly namespace: string
  readonly name: string
  /** DNS names and IP addresses, one at least */
  readonly hosts: readonly string[]
  /** under which keys of the Secret they stand; that of the authority is `ca` */
  readonly certKey: string
  readonly keyKey: string
  /** those that are to trust a new authority before anybody shows its certificate */
  readonly webhooks?: WantedWebhooks
}

/** As ingress-nginx's: a certificate that ends has to be thought of by somebody. */
const days = 36_500

/**
 * Makes sure that the Secret has a certificate for all hosts. One that is good stays; a new one comes with an authority of its own.
 *
 * @throws Failure `secret-foreign` when the Secret is there and somebody else's
 */
export function ensureSecret(wanted: WantedSecret, around: Surroundings): Promise<void> {
  return withoutConflict(async () => {
    const found = await read(around.send, pathOf(wanted))
    return found === undefined ? create(wanted, around) : renew(found, wanted, around)
  })
}

async function create(wanted: WantedSecret, { send, nowMs, log }: Surroundings): Promise<void> {
  const { namespace, name, hosts } = wanted
  const pair = await vouchedFor(hosts, nowMs, days)
  await send({
    method: "POST",
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets`,
    body: {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace, name },
      type: "Opaque",
      data: dataOf(pair, wanted),
    },
  })
  log.info({ namespace, secret: name, hosts }, "Created the certificate")
}

async function renew(found: Json, wanted: WantedSecret, around: Surroundings): Promise<void> {
  const { namespace, name, hosts, webhooks } = wanted
  const { send, nowMs, log } = around
  const kept = keptIn(found, wanted)
  const reason = staleness(kept, hosts, nowMs)
  if (reason === undefined) return log.info({ namespace, secret: name }, "The certificate is good and stays")
  const pair = await vouchedFor(hosts, nowMs, days)
  const ca = bundle(pair.ca, kept.ca, nowMs)
  // in this order, so that no controller shows a certificate that is not trusted yet
  if (webhooks !== undefined) await trust(webhooks, ca, around)
  const data = { ...recordOf(found.data), ...dataOf({ ...pair, ca }, wanted) }
  await send({ method: "PUT", path: pathOf(wanted), body: { ...found, data } })
  log.info({ namespace, secret: name, hosts, reason }, "Renewed the certificate")
}

/** @throws Failure `secret-foreign` or, when there is none, `secret-missing` */
export async function readAuthority(
  wanted: Pick<WantedSecret, "namespace" | "name">,
  send: Send,
): Promise<string> {
  const found = await read(send, pathOf(wanted))
  if (found !== undefined) return authorityIn(found, wanted)
  const { namespace, name } = wanted
  throw new Failure(
    "secret-missing",
    `Cannot read Secret "${namespace}/${name}": it does not exist, run certgen create first`,
  )
}

function keptIn(found: Json, wanted: WantedSecret): KeptPair {
  const data = recordOf(found.data)
  return {
    ca: authorityIn(found, wanted),
    certificate: text(data[wanted.certKey]),
    key: text(data[wanted.keyKey]),
  }
}

function authorityIn(found: Json, { namespace, name }: Pick<WantedSecret, "namespace" | "name">): string {
  const ca = text(recordOf(found.data).ca)
  if (ca !== "") return ca
  throw new Failure(
    "secret-foreign",
    `Cannot use Secret "${namespace}/${name}": key "ca" is missing, so certgen has not made it; delete it, or name another one with --secret-name`,
  )
}

function dataOf({ ca, certificate, key }: KeptPair, { certKey, keyKey }: WantedSecret): Json {
  return { ca: base64(ca), [certKey]: base64(certificate), [keyKey]: base64(key) }
}

function text(data: unknown): string {
  return typeof data === "string" ? Buffer.from(data, "base64").toString("utf8") : ""
}

function pathOf({ namespace, name }: Pick<WantedSecret, "namespace" | "name">): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`
}
