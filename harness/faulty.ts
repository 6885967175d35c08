import { join } from "node:path"
import { assembled } from "./assembly.ts"
import { root } from "./paths.ts"

/** What the request header `x-wick-fault` may ask for. */
export type FilterFault = "trap" | "loop" | "memory" | "address"

/** Path of the balancer with faults on demand (faulty/assembly). */
export function faultyBalancer(): Promise<string> {
  return assembled({
    name: "faulty-balancer",
    folder: join(root, "balancer-as"),
    entry: "../harness/faulty/assembly/index.ts",
    // The rest of the options (runtime, features, exports) are the balancer's own, so that this is the same filter.
    options: ["--config", "asconfig.json", "--target", "release"],
    inputs: ["balancer-as/assembly", "balancer-as/asconfig.json", "policy-as/assembly/lib", "harness/faulty"],
  })
}
