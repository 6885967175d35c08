import { Admission, type KnownObjects } from "../admission/admission.ts"
import type { DifferencesOf } from "../admission/around.ts"
import { CertificateFiles } from "../admission/certificate-files.ts"
import { serveAdmission } from "../admission/server.ts"
import type { Options } from "../core/options/flags.ts"
import type { TranslateOptions } from "../core/translate/options.ts"
import type { Service } from "../model/objects/service.ts"
import type { Metrics } from "../report/observe/metrics.ts"
import type { Log } from "../support/log.ts"

export interface AdmissionWorld {
  readonly options: Options
  readonly translateOptions: TranslateOptions
  readonly differencesOf: DifferencesOf
  readonly objects: KnownObjects & {
    /** @param name `namespace/name` */
    readonly service: (name: string) => Service | undefined
  }
  readonly metrics: Metrics
  readonly log: Pick<Log, "info" | "warn" | "error">
  /** an orderly end was asked for: the others answer from now on, and this one as long as it is asked */
  readonly leaving: AbortSignal
}

/**
 * Serves the admission webhook if the flags want it, until the process has nothing else to do: a Pod that ends is asked until every node has heard
 * of it. Every replica does, whoever leads.
 */
export async function openAdmission(
  { options, translateOptions, differencesOf, objects, metrics, log, leaving }: AdmissionWorld,
  stack: AsyncDisposableStack,
): Promise<void> {
  const { validatingWebhook, validatingWebhookCertificate, validatingWebhookKey, deepInspect } = options
  if (validatingWebhook === undefined) return
  const admission = new Admission({
    objects,
    options: translateOptions,
    inspects: deepInspect,
    differencesOf: (ingress, settings) =>
      differencesOf(ingress, {
        options,
        settings,
        configMap: objects.configMap(),
        service: objects.service,
      }),
    checked: metrics.observeAdmission(),
    log,
  })
  const server = await serveAdmission({
    ...validatingWebhook,
    answer: (text) => admission.answer(text),
    leaving,
  })
  stack.defer(() => server.close())
  const closed = new AbortController()
  stack.defer(() => closed.abort())
  const files = new CertificateFiles({
    certificate: validatingWebhookCertificate,
    key: validatingWebhookKey,
    changed: (pair) => server.use(pair),
    log,
  })
  void files.watch(closed.signal)
  log.info({ port: server.port }, "Admission webhook is served")
}
