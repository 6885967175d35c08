import { Attempts, unlessRefused } from "../../controller/input/cluster/connect/attempts.ts"
import { Client } from "../../controller/input/cluster/connect/client.ts"
import { openAccess } from "../../controller/input/cluster/connect/configuration.ts"
import type { ServiceAddress } from "../../controller/input/cluster/connect/service-account.ts"
import type { Surroundings } from "./objects.ts"
import { ensureSecret, readAuthority, type WantedSecret } from "./secret.ts"
import { patchApiService, patchWebhooks, type WantedWebhooks } from "./webhooks.ts"

/** What is to be done. */
export type Task =
  | { readonly kind: "create"; readonly secret: WantedSecret }
  | {
      readonly kind: "patch"
      readonly secret: Pick<WantedSecret, "namespace" | "name">
      readonly webhooks?: WantedWebhooks
      /** "" for none */
      readonly apiService: string
    }

export interface CertgenOptions {
  /** "" for the Pod's service account */
  readonly kubeconfig: string
  readonly service: ServiceAddress
  /** of this program, as `1.2.3` */
  readonly release: string
  /** takes a line of JSON */
  readonly write: (line: string) => void
}

/** @throws Failure when it cannot be done */
export async function runCertgen(task: Task, options: CertgenOptions): Promise<void> {
  const { kubeconfig, service, release, write } = options
  const access = await openAccess({ kubeconfig, apiserverHost: "", certificateAuthority: "" }, service)
  const client = new Client({ access, userAgent: `wick-certgen/${release}` })
  try {
    await perform(task, surroundings(client, write))
  } finally {
    client.close()
  }
}

export async function perform(task: Task, around: Surroundings): Promise<void> {
  if (task.kind === "create") return ensureSecret(task.secret, around)
  const ca = await readAuthority(task.secret, around.send)
  if (task.webhooks !== undefined) await patchWebhooks(task.webhooks, ca, around)
  if (task.apiService !== "") await patchApiService(task.apiService, ca, around)
  around.log.info({ secret: task.secret.name }, "Webhooks trust the authority of the Secret")
}

/** The API server may be away for a moment, or the Pod's network not ready. */
function surroundings(client: Client, write: CertgenOptions["write"]): Surroundings {
  const line = (level: string) => (fields: object | string, sentence?: string) => {
    const said = typeof fields === "string" ? { msg: fields } : { ...fields, msg: sentence }
    write(`${JSON.stringify({ level, time: new Date().toISOString(), ...said })}\n`)
  }
  const log = { info: line("info"), warn: line("warn") }
  const attempts = new Attempts({ log })
  const never = new AbortController().signal
  return {
    send: (request) => attempts.make((signal) => client.send(request, signal), unlessRefused, never),
    nowMs: Date.now(),
    log,
  }
}
