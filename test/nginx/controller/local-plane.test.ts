// The nginx on this machine keeps to the contract of data planes, driven without the rest of the controller.
import type { Fixed } from "../../../controller/model/model.ts"
import { layoutOf } from "../../../controller/output/nginx/files.ts"
import { findNginx } from "../../../controller/output/nginx/process.ts"
import { until } from "../../../harness/until.ts"
import { localPlane } from "../../support/local-plane.ts"
import { planeContract, type Tried } from "../../support/plane-contract.ts"

planeContract(async (): Promise<Tried> => {
  const local = await localPlane()
  const { plane, flags, dir } = local
  return {
    plane,
    flags,
    die: async () => {
      const nginx = await findNginx(layoutOf(dir))
      nginx?.kill()
      await until("nginx's death to be noticed", () => plane.generation === undefined)
    },
    refused,
    [Symbol.asyncDispose]: () => local[Symbol.asyncDispose](),
  }
})

/** Only nginx knows which variables there are. */
function refused({ http, ...fixed }: Fixed): Fixed {
  return { ...fixed, http: { ...http, logs: { ...http.logs, logFormatUpstream: "$no_such_variable" } } }
}
