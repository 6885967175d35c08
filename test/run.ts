// What `npm test` runs once everything is built: the checks, then the tests of each language, in order of how soon they tell something. What one
// core would do, or waits for others most of the time, runs side by side. Everything runs even when something before it failed. The last line sums
// it all up.
import type { ChildProcess } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { Lane } from "./support/lane.ts"
import { nodeBinary, root } from "./support/paths.ts"
import { countCargo, countVitest, type Outcome, type Runner, run } from "./support/runner.ts"

const temporary = mkdtempSync(join(tmpdir(), "wick-test-run-"))
const reporting = (report: string) => ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
const report = join(temporary, "vitest.json")
const clusterReport = join(temporary, "cluster.json")
const chartReport = join(temporary, "chart.json")
const imageReport = join(temporary, "image.json")
const module = (path: string) => join(root, "node_modules", path)

// As in build/cargo-env.sh, which this stands in for.
const cache = process.env.WICK_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "wick")
const cargo = {
  cwd: join(root, "nginx"),
  env: {
    NGINX_SOURCE_DIR: join(root, "out/nginx-src"),
    NGINX_BUILD_DIR: join(root, "out/nginx-src/objs"),
    CARGO_TARGET_DIR: join(cache, "target"),
  },
  count: countCargo,
}
// The crates that build on nginx take the dependencies of the release build; the pure ones are tested with debug checks.
const onNginx = ["wick-native", "wick-wasm", "wick-ingress"]

const checks: readonly Runner[] = [
  { name: "tsc", command: [nodeBinary, module("typescript/bin/tsc"), "--noEmit"] },
  {
    name: "tsc (the page)",
    command: [nodeBinary, module("typescript/bin/tsc"), "--noEmit", "--project", "controller/ui/page"],
  },
  {
    name: "biome",
    command: [nodeBinary, module("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."],
  },
  { name: "knip", command: [nodeBinary, module("knip/bin/knip.js")] },
  {
    name: "prettier",
    command: [
      nodeBinary,
      module("prettier/bin/prettier.cjs"),
      "--check",
      "{balancer-as,policy-as,test}/**/assembly/**/*.ts",
      "{policy-as/starter,examples/policies/*}/policy.ts",
    ],
  },
  { name: "gofmt", command: [join(root, "build/go-lint.sh")] },
]

const rust: readonly Runner[] = [
  { name: "rustfmt and clippy", command: [join(root, "build/rust-lint.sh")] },
  {
    ...cargo,
    name: "cargo test (pure crates)",
    command: ["cargo", "test", "--locked", "--workspace", ...onNginx.flatMap((name) => ["--exclude", name])],
  },
  {
    name: "cargo test (launcher)",
    command: ["cargo", "test", "--locked", "--target-dir", join(cache, "launcher-target")],
    cwd: join(root, "launcher"),
    count: countCargo,
  },
  { name: "cargo test (rows under loom)", command: [join(root, "build/loom.sh")], count: countCargo },
  {
    ...cargo,
    name: "cargo test (crates on nginx)",
    command: ["cargo", "test", "--locked", "--release", ...onNginx.flatMap((name) => ["--package", name])],
  },
]

/** Last, as it takes longest where something has changed: the image is built from nothing but registries. */
const image: Runner = {
  name: "vitest in the image",
  command: [join(root, "test/image.sh"), ...reporting(imageReport)],
  count: () => (existsSync(imageReport) ? countVitest(imageReport) : undefined),
}

const vitest: readonly Runner[] = [
  {
    name: "vitest",
    command: [nodeBinary, module("vitest/vitest.mjs"), "run", ...reporting(report)],
    count: () => countVitest(report),
  },
  {
    name: "vitest in a cluster",
    command: [join(root, "test/cluster/run.sh"), ...reporting(clusterReport)],
    count: () => countVitest(clusterReport),
  },
  {
    name: "vitest of the chart",
    command: [join(root, "test/chart/run.sh"), ...reporting(chartReport)],
    count: () => countVitest(chartReport),
  },
]

/** One after the other, and side by side within. */
const stages: readonly (readonly Runner[])[] = [checks, ...rust.map((runner) => [runner]), vitest, [image]]

const running = new Set<ChildProcess>()
let interrupted = false
// From a terminal the signal reaches the children as well; from elsewhere it has to be passed on.
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    interrupted = true
    for (const child of running) child.kill(name)
  })
}

const outcomes: Outcome[] = []
for (const stage of stages) if (!interrupted) outcomes.push(...(await runStage(stage)))
rmSync(temporary, { recursive: true, force: true })
summarize()

/** The output of the first is shown as it comes, that of the others when those before them have ended. */
async function runStage(stage: readonly Runner[]): Promise<readonly Outcome[]> {
  const lanes = stage.map((runner) => {
    const lane = new Lane(`\n── ${runner.name}\n`)
    const onStart = (child: ChildProcess) => {
      running.add(child)
      child.once("close", () => running.delete(child))
    }
    return { lane, outcome: run(runner, (text) => lane.show(text), onStart) }
  })
  const outcomes: Outcome[] = []
  for (const { lane, outcome } of lanes) {
    lane.open()
    outcomes.push(await outcome)
  }
  return outcomes
}

function summarize(): void {
  const total = (key: "passed" | "failed") => outcomes.reduce((sum, outcome) => sum + outcome[key], 0)
  process.stdout.write("\n")
  for (const note of outcomes.flatMap(({ notes }) => notes ?? [])) process.stdout.write(`${note}\n`)
  for (const { name, passed, failed, seconds } of outcomes) {
    const mark = failed === 0 ? "ok    " : "FAILED"
    process.stdout.write(`${mark} ${name}: ${passed} passed, ${failed} failed (${seconds.toFixed(0)} s)\n`)
  }
  if (interrupted) process.stdout.write("Interrupted: the rest did not run\n")
  process.stdout.write(`${total("passed")} passed, ${total("failed")} failed\n`)
  process.exitCode = interrupted ? 130 : total("failed") > 0 || total("passed") === 0 ? 1 : 0
}
