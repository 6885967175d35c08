// One run of the suite: the program that build/conformance.sh makes, with the flags that it is to be run with.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../../harness/paths.ts"
import manifest from "../../../package.json" with { type: "json" }
import { type Outcome, outcomesIn } from "./outcomes.ts"
import { gatewayClass, unusableAddress, usableAddress } from "./rig.ts"

export interface SuiteOptions {
  /** of the administrator */
  readonly kubeconfig: string
  /** names of tests; empty is all of them */
  readonly tests: readonly string[]
  /** more flags of the suite */
  readonly flags?: readonly string[]
  /** file that takes all that it says */
  readonly log: string
}

const profiles = ["HTTP", "GRPC", "TLS", "TCP", "UDP"].map((name) => `GATEWAY-${name}`)

/** What the report says of wick. */
const implementation = {
  organization: "wick",
  project: "wick",
  url: manifest.homepage,
  version: manifest.version,
  contact: "maintainers@wick.dev",
}

/** Runs it to its end. */
export async function runSuite({ kubeconfig, tests, flags = [], log }: SuiteOptions): Promise<Outcome[]> {
  const chosen = tests.length === 0 ? [] : [`-test.run=^TestConformance$/^(${tests.join("|")})$`]
  const words = [
    "-test.v",
    "-test.timeout=0",
    ...chosen,
    // Those for a service mesh.
    "-test.skip=^TestConformance$/^Mesh",
    `-gateway-class=${gatewayClass}`,
    `-conformance-profiles=${profiles.join(",")}`,
    `-usable-address=${usableAddress}`,
    `-unusable-address=${unusableAddress}`,
    ...Object.entries(implementation).map(([name, value]) => `-${name}=${value}`),
    ...flags,
  ]
  const output = createWriteStream(log)
  const child = spawn(join(root, "out/conformance-tests"), words, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, KUBECONFIG: kubeconfig },
  })
  child.stdout.pipe(output, { end: false })
  child.stderr.pipe(output, { end: false })
  const [code] = (await once(child, "close")) as [number | null]
  await new Promise<void>((resolve) => output.end(() => resolve()))
  return outcomesIn(readFileSync(log, "utf8"), code !== 0)
}
