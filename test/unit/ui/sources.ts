import type { Translation } from "../../../controller/core/translate/translate.ts"
import type { Model } from "../../../controller/model/model.ts"
import type { Readings } from "../../../controller/output/plane/readings.ts"
import { LastPass } from "../../../controller/report/history/last-pass.ts"
import { ReloadHistory } from "../../../controller/report/history/reload-history.ts"
import { Failure } from "../../../controller/support/failure.ts"
import type { Json } from "../../../harness/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../../harness/translation.ts"
import { Sampler } from "../../../ui/sampler.ts"
import type { Sources } from "../../../ui/sources.ts"
import { MemoryPlane } from "../../support/memory-plane.ts"

/** What the page shows when these objects are in force. @param readings what the data plane says of itself */
export function sourcesOf(
  objects: readonly Json[],
  more: Partial<Sources> = {},
  readings: Partial<Readings> = {},
): Sources {
  const { model, problems, observed } = translated(objects)
  const lastPass = new LastPass()
  lastPass.told(problems)
  lastPass.inForce(observed)
  lastPass.passed(12, 1000)
  return {
    plane: planeWith(model, readings),
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
    inForce: () => Promise.reject(new Failure("not-running", "Nothing runs")),
    traffic: { look: async () => undefined },
    ...more,
  }
}

/** A data plane that runs with a model. */
function planeWith({ fixed, live }: Model, readings: Partial<Readings>): MemoryPlane {
  const plane = new MemoryPlane()
  plane.runWith(fixed, live)
  plane.read = { ...plane.read, ...readings }
  return plane
}

function translated(objects: readonly Json[]): Translation {
  const changes = objects.flatMap((object, at) => changesOf(object, `all.yaml:${at}`))
  return translationOf(changes, optionsOf(["--manifests=x"]))
}
