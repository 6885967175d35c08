import { Admission } from "../admission/admission.ts"
import { CertificateFiles } from "../admission/certificate-files.ts"
import { admissionMetrics } from "../admission/check-metrics.ts"
import { serveAdmission } from "../admission/server.ts"
import type { Ingress } from "../model/objects/ingress.ts"
import { qualifiedName } from "../model/objects/object.ts"
import type { Feed } from "../sync/feed.ts"
import type { Common } from "./common.ts"
import type { Objects } from "./objects.ts"
import type { World } from "./world.ts"

type Before = World & Common & Objects & { readonly feed: Pick<Feed, "wasSettled"> }

/**
 * Serves the admission webhook if the flags want it, until the process has nothing else to do: a Pod that ends is asked until every node has heard
 * of it. Every replica does, leader or not.
 */
export async function webhook(before: Before): Promise<object> {
  const { options, translateOptions, metrics, log, lastStops, stop: leaving } = before
  const { validatingWebhook, validatingWebhookCertificate, validatingWebhookKey, deepInspect } = options
  if (validatingWebhook === undefined) return {}
  const objects = objectsOf(before)
  const differencesOf = await before.differencesOf()
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
    checked: admissionMetrics(metrics.kept.declare),
    log,
  })
  const server = await serveAdmission({
    ...validatingWebhook,
    answer: (text) => admission.answer(text),
    // the other replicas answer from now on, and this one as long as it is asked
    leaving,
  })
  lastStops.defer(() => server.close())
  const closed = new AbortController()
  lastStops.defer(() => closed.abort())
  const files = new CertificateFiles({
    certificate: validatingWebhookCertificate,
    key: validatingWebhookKey,
    changed: (pair) => server.use(pair),
    log,
  })
  void files.watch(closed.signal)
  log.info({ port: server.port }, "Admission webhook is served")
  return {}
}

function objectsOf({ options: { configmap }, store, owners, feed }: Before) {
  return {
    areComplete: () => feed.wasSettled,
    owners,
    isOurs: (ingress: Ingress) => store.wouldBeOurs(ingress),
    configMap: () => configmap && store.configMap(qualifiedName(configmap)),
    service: (name: string) => store.service(name),
    standing: () => store.snapshot(),
    isWatched: (namespace: string) => store.watchesGatewaysIn(namespace),
  }
}
