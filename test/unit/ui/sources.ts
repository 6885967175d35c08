import type { Translation } from "../../../controller/core/translate/translate.ts"
import { LastPass } from "../../../controller/report/history/last-pass.ts"
import { ReloadHistory } from "../../../controller/report/history/reload-history.ts"
import { Failure } from "../../../controller/support/failure.ts"
import { Sampler } from "../../../ui/sampler.ts"
import type { Sources } from "../../../ui/sources.ts"
import type { Json } from "../../support/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../support/translation.ts"

/** What the page shows when these objects are in force. */
export function sourcesOf(objects: readonly Json[], more: Partial<Sources> = {}): Sources {
  const { model, problems, observed } = translated(objects)
  const lastPass = new LastPass()
  lastPass.told(problems)
  lastPass.inForce(observed)
  lastPass.passed(12, 1000)
  return {
    model: () => model,
    lastPass,
    reloads: new ReloadHistory(),
    sampler: new Sampler(async () => undefined),
    instance: () => ({ namespace: "", pod: "", controllerClass: "nginx", startedMs: 0, isLeader: true }),
    trouble: () => undefined,
    versions: () => ({
      wick: "1.2.3",
      commit: "abc",
      node: "v24",
      nginx: "1.26.3",
      filter: "f",
      isOutdated: false,
    }),
    zones: async () => [],
    namespaceUse: () => [],
    filter: async () => undefined,
    policyCounters: async () => [],
    policies: async () => [],
    defaultCertificate: () => Promise.reject(new Error("There is none")),
    inForce: () => Promise.reject(new Failure("not-running", "Nothing runs")),
    endpoints: async () => ({ counts: undefined, state: undefined }),
    traffic: { look: async () => undefined },
    ...more,
  }
}

function translated(objects: readonly Json[]): Translation {
  const changes = objects.flatMap((object, at) => changesOf(object, `all.yaml:${at}`))
  return translationOf(changes, optionsOf(["--manifests=x"]))
}
