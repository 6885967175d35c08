import { recordOf } from "../../controller/model/objects/reader.ts"
import { Failure } from "../../controller/support/failure.ts"
import { base64, type Json, read, type Surroundings, withoutConflict } from "./objects.ts"

const plurals = {
  validating: "validatingwebhookconfigurations",
  mutating: "mutatingwebhookconfigurations",
} as const

/** Configurations of one name. */
export interface WantedWebhooks {
  readonly name: string
  readonly kinds: readonly (keyof typeof plurals)[]
  /** `Fail` or `Ignore`; absent: as it is */
  readonly failurePolicy?: string
}

/**
 * Has every webhook of the configurations trust these authorities.
 *
 * @param ca PEM
 * @throws Failure `webhook-missing`
 */
export async function patchWebhooks(wanted: WantedWebhooks, ca: string, around: Surroundings): Promise<void> {
  for (const kind of wanted.kinds) {
    const path = `/apis/admissionregistration.k8s.io/v1/${plurals[kind]}/${encodeURIComponent(wanted.name)}`
    if (await update(path, (found) => withAuthority(found, ca, wanted.failurePolicy), around)) continue
    throw new Failure(
      "webhook-missing",
      `Cannot change the ${kind} webhook configuration "${wanted.name}": it does not exist`,
    )
  }
}

/** As `patchWebhooks`; where there are none yet, none has to trust anybody. */
export async function trust(wanted: WantedWebhooks, ca: string, around: Surroundings): Promise<void> {
  for (const kind of wanted.kinds) {
    const path = `/apis/admissionregistration.k8s.io/v1/${plurals[kind]}/${encodeURIComponent(wanted.name)}`
    await update(path, (found) => withAuthority(found, ca, undefined), around)
  }
}

/** @throws Failure `webhook-missing` */
export async function patchApiService(name: string, ca: string, around: Surroundings): Promise<void> {
  const path = `/apis/apiregistration.k8s.io/v1/apiservices/${encodeURIComponent(name)}`
  const change = (found: Json): Json => {
    const { insecureSkipTLSVerify: _, ...spec } = recordOf(found.spec)
    return { ...found, spec: { ...spec, caBundle: base64(ca) } }
  }
  if (await update(path, change, around)) return
  throw new Failure("webhook-missing", `Cannot change the APIService "${name}": it does not exist`)
}

/** @returns false when there is none */
function update(path: string, change: (found: Json) => Json, { send, log }: Surroundings): Promise<boolean> {
  return withoutConflict(async () => {
    const found = await read(send, path)
    if (found === undefined) return false
    const changed = change(found)
    if (JSON.stringify(changed) === JSON.stringify(found)) return true
    await send({ method: "PUT", path, body: changed })
    log.info({ path }, "Changed whom it trusts")
    return true
  })
}

function withAuthority(found: Json, ca: string, failurePolicy: string | undefined): Json {
  const webhooks = Array.isArray(found.webhooks) ? found.webhooks.map(recordOf) : []
  return {
    ...found,
    webhooks: webhooks.map((webhook) => ({
      ...webhook,
      clientConfig: { ...recordOf(webhook.clientConfig), caBundle: base64(ca) },
      ...(failurePolicy !== undefined && { failurePolicy }),
    })),
  }
}
