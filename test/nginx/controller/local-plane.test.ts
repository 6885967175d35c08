// The nginx on this machine keeps to the contract of data planes, driven without the rest of the controller.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Fixed } from "../../../controller/model/model.ts"
import { layoutOf } from "../../../controller/output/nginx/files.ts"
import { LocalNginx } from "../../../controller/output/nginx/local-nginx.ts"
import { findNginx } from "../../../controller/output/nginx/process.ts"
import { Workplace } from "../../../controller/output/nginx/workplace.ts"
import { freeListeners, listenerFlags } from "../../../harness/ports.ts"
import { optionsOf } from "../../../harness/translation.ts"
import { until } from "../../../harness/until.ts"
import { planeContract, type Tried } from "../../support/plane-contract.ts"

const identity = { controllerClass: "k8s.io/ingress-nginx", namespace: "", pod: "" }

planeContract(async (): Promise<Tried> => {
  const dir = mkdtempSync(join(tmpdir(), "wick-plane-"))
  const flags = [...listenerFlags(await freeListeners()), `--runtime-dir=${dir}`]
  const options = optionsOf(["--manifests=x", ...flags])
  const stops = new AsyncDisposableStack()
  const end = new AbortController()
  const workplace = await Workplace.take(options, identity, stops)
  const plane = await LocalNginx.open(options, workplace, silent, end.signal, stops)
  await plane.adopt()
  return {
    plane,
    flags,
    die: async () => {
      const nginx = await findNginx(layoutOf(dir))
      nginx?.kill()
      await until("nginx's death to be noticed", () => plane.generation === undefined)
    },
    refused,
    async [Symbol.asyncDispose]() {
      await plane.stop(AbortSignal.abort())
      end.abort()
      await stops.disposeAsync()
      rmSync(dir, { recursive: true })
    },
  }
})

const silent = { died() {}, posted() {}, closedForRoom() {}, grew() {}, renewed() {} }

/** Only nginx knows which variables there are. */
function refused({ http, ...fixed }: Fixed): Fixed {
  return { ...fixed, http: { ...http, logs: { ...http.logs, logFormatUpstream: "$no_such_variable" } } }
}
