// What `npm test` is made of: each program, what it depends on, and how to run just that again.
import { homedir } from "node:os"
import { join } from "node:path"
import { nodeBinary, root } from "../../harness/paths.ts"
import { alone } from "../support/alone.ts"
import { seed } from "../support/runs.ts"
import { type Made, workspace } from "./made.ts"
import { type Command, countCargo } from "./runner.ts"

interface Common {
  readonly name: string
  /** A command line that runs this part alone. */
  readonly again: string
  /** Files and folders that it depends on; of tests by file, beside what each file can reach. `undefined`: it always runs. */
  readonly inputs: readonly string[] | undefined
  readonly made: readonly Made[]
}

/** One program that passes or fails, with all its tests. */
interface Whole extends Common {
  readonly kind: "whole"
  readonly command: Command
}

/** Tests by file: each runs when something has changed that it can reach. */
export interface ByFile extends Common {
  readonly kind: "files"
  /** Whether a path of the checkout is one of its files. */
  readonly isTest: (path: string) => boolean
  /** @param files which of them; `report` is where vitest writes what came of each */
  readonly command: (files: readonly string[], report: string) => Command
}

export type Part = Whole | ByFile

const module = (path: string) => join(root, "node_modules", path)
const vitest = [nodeBinary, module("vitest/vitest.mjs"), "run"] as const
const reporting = (report: string) => ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
const isTestBelow = (...folders: readonly string[]) => {
  return (path: string) =>
    path.endsWith(".test.ts") && folders.some((folder) => path.startsWith(`${folder}/`))
}

/** A checker of the sources, which takes seconds: nothing is remembered of it. */
const check = (name: string, again: string, ...command: Command["command"]): Whole => {
  return { kind: "whole", name, again, inputs: undefined, made: [], command: { command } }
}

export const checks: readonly Part[] = [
  check("tsc", "npm run check", nodeBinary, module("typescript/bin/tsc"), "--noEmit"),
  check(
    "tsc (the page)",
    "npm run check",
    ...([nodeBinary, module("typescript/bin/tsc"), "--noEmit", "--project", "ui/page"] as const),
  ),
  check(
    "biome",
    "build/node node_modules/@biomejs/biome/bin/biome check --error-on-warnings .",
    ...([nodeBinary, module("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."] as const),
  ),
  check("knip", "build/node node_modules/knip/bin/knip.js", nodeBinary, module("knip/bin/knip.js")),
  check(
    "prettier",
    "npm run lint",
    nodeBinary,
    module("prettier/bin/prettier.cjs"),
    "--check",
    "{balancer-as,policy-as,test}/**/assembly/**/*.ts",
    "{policy-as/starter,examples/policies/*}/policy.ts",
  ),
  check("gofmt", "build/go-lint.sh", join(root, "build/go-lint.sh")),
]

/** What tests would compile in the first file that needs it. */
export const prepared: Part = check(
  "test programs",
  "build/node test/prepare.ts",
  nodeBinary,
  "test/prepare.ts",
)

// As in build/cargo-env.sh, which this stands in for.
export const cache =
  process.env.WICK_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "wick")
const cargo = {
  cwd: join(root, "nginx"),
  env: {
    NGINX_SOURCE_DIR: join(root, "out/nginx-src"),
    NGINX_BUILD_DIR: join(root, "out/nginx-src/objs"),
    CARGO_TARGET_DIR: join(cache, "target"),
    PROPTEST_RNG_SEED: String(seed),
  },
  count: countCargo,
}
// Crates that build on nginx or wasmtime take the dependencies of the release build, whose features are those of all five together.
const heavy = ["wick-native", "wick-wasm", "wick-ingress", "wick-guest", "wick-policy"]
const packages = (flag: string, names: readonly string[]) => names.flatMap((name) => [flag, name])
const checked = ["wick-guest", "wick-policy"].flatMap((crate) =>
  ["debug-assertions", "overflow-checks"].flatMap((name) => [
    "--config",
    `profile.release.package.${crate}.${name}=true`,
  ]),
)
const again = (...args: readonly string[]) =>
  `(. build/lib.sh; . build/cargo-env.sh; cd nginx; cargo test ${args.join(" ")})`
const cargoBuild = ["build/cargo-env.sh", "build/lib.sh", "build/versions.env"]
const crates = [...workspace, "test/fixtures/wire", ...cargoBuild]

export const clippy: Part = {
  kind: "whole",
  name: "rustfmt and clippy",
  again: "build/rust-lint.sh",
  inputs: [...workspace, "launcher", "test/fuzz", "test/fixtures/wire", "build/rust-lint.sh", ...cargoBuild],
  made: ["nginx"],
  command: { command: [join(root, "build/rust-lint.sh")] },
}

const cargoTest = (name: string, ...args: readonly string[]): Whole => ({
  kind: "whole",
  name: `cargo test (${name})`,
  again: again(...args),
  inputs: crates,
  made: ["nginx"],
  command: { ...cargo, command: ["cargo", "test", "--locked", "--no-fail-fast", ...args] },
})

/** One after the other: cargo lets only one of them into its folder. */
export const rust: readonly Part[] = [
  clippy,
  cargoTest("pure crates", "--workspace", ...packages("--exclude", heavy)),
  {
    kind: "whole",
    name: "cargo test (launcher)",
    again: "cd launcher; cargo test",
    inputs: ["launcher", "build/versions.env"],
    made: [],
    command: {
      command: ["cargo", "test", "--locked", "--target-dir", join(cache, "launcher-target")],
      cwd: join(root, "launcher"),
      count: countCargo,
    },
  },
  {
    kind: "whole",
    name: "cargo test (rows under loom)",
    again: "npm run test:loom",
    inputs: ["nginx/kv", "nginx/Cargo.toml", "nginx/Cargo.lock", "build/loom.sh", ...cargoBuild],
    made: [],
    command: { command: [join(root, "build/loom.sh")], count: countCargo },
  },
  cargoTest("crates on nginx and wasmtime", "--release", ...packages("--package", heavy), ...checked),
]

const unitTests = isTestBelow("test/unit", "test/balancer", "test/lab")
const config = [
  "vitest.config.ts",
  "test/support/alone.ts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "build/node",
]

/** Without an nginx: short, and all of them each time. */
export const unit: ByFile = {
  kind: "files",
  name: "unit tests",
  again: "build/node node_modules/vitest/vitest.mjs run",
  inputs: undefined,
  made: [],
  isTest: (path) => (unitTests(path) && !alone.includes(path)) || path === "test/golden.test.ts",
  command: (files, report) => ({ command: [...vitest, "--project=unit", ...files, ...reporting(report)] }),
}

const nginxTests = isTestBelow("test/nginx", "test/cve", "test/monitoring", "test/one-reading", "test/ui")

export const withNginx: ByFile = {
  kind: "files",
  name: "tests with nginx",
  again: "build/node node_modules/vitest/vitest.mjs run",
  inputs: [...config, "test/support/nothing-left.ts"],
  made: ["modules", "filter", "nginx"],
  isTest: (path) => nginxTests(path) || alone.includes(path),
  command: (files, report) => ({
    command: [...vitest, "--project=nginx", "--project=alone", ...files, ...reporting(report)],
  }),
}

/** Tests that a script makes the surroundings for, which it gives to vitest. */
const scripted = (folder: string, name: string, script: string, ...inputs: readonly string[]): ByFile => ({
  kind: "files",
  name,
  again: script,
  inputs: [...config, script, ...inputs],
  made: ["modules", "filter", "nginx"],
  isTest: isTestBelow(folder),
  command: (files, report) => ({ command: [join(root, script), ...files, ...reporting(report)] }),
})

const apiServer = [
  "test/apiserver",
  "build/apiserver.sh",
  "build/go-build.sh",
  "build/network.sh",
  "build/test-programs.sh",
]
const helm = ["test/helm", "build/helm.sh", "deploy"]

export const withHelm = scripted(
  "test/chart",
  "tests of the chart",
  "test/chart/run.sh",
  ...apiServer,
  ...helm,
)
export const inCluster = scripted(
  "test/cluster",
  "tests in a cluster",
  "test/cluster/run.sh",
  ...[...apiServer, ...helm, "build/gateway-crds.sh"],
)

export const conformance = scripted(
  "test/conformance",
  "conformance tests of the Gateway API",
  "test/conformance/run.sh",
  ...[...apiServer, "build/gateway-crds.sh", "build/conformance.sh", "test/conformance", "test/kubelet"],
)

/** Of what the image is made of, and what runs it. */
export const inImage = scripted(
  "test/image",
  "tests of the image",
  "test/image.sh",
  ...[
    ...apiServer,
    ...helm,
    "Dockerfile",
    ".dockerignore",
    "balancer-as",
    "policy-as",
    "build",
    "controller",
    "cli",
    "ui",
  ],
  ...["launcher", "nginx", "test/kubelet", "package.json"],
)
