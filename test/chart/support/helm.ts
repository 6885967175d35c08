// Helm, as build/helm.sh makes it.
import { execFile, execFileSync } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Json } from "../../../harness/manifests.ts"
import { root } from "../../../harness/paths.ts"

export const helmBinary = join(root, "out/helm")
export const chart = join(root, "deploy/chart")

/** One `helm template`. */
export interface Job {
  /** YAML or JSON; none is `values.yaml` of the chart alone */
  readonly values?: string
  /** default `edge`: names begin with `edge-ingress-nginx` */
  readonly release?: string
  /** default `ingress` */
  readonly namespace?: string
  /** default that of the API server of the tests */
  readonly kubeVersion?: string
}

/** An object of the cluster that a template has printed. */
export interface Rendered {
  readonly template: string
  readonly object: KubernetesObject
}

export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests know the shape of what they look at
  readonly [field: string]: any
}

export interface Rendering {
  readonly objects: readonly Rendered[]
  readonly notes: string
  /** "" when it worked */
  readonly error: string
}

/** Renders all of them in one process, equal ones once. Keys that stand twice in a document are an error. */
export function renderAll(jobs: readonly Job[]): Rendering[] {
  const texts = jobs.map(completed)
  const distinct = [...new Set(texts)]
  const output = execFileSync(helmBinary, ["each", chart], {
    input: `[${distinct}]`,
    maxBuffer: 2 ** 30,
    encoding: "utf8",
    // What it makes is short-lived: collecting less often takes a fifth off.
    env: { ...process.env, GOGC: "400" },
    // Warnings of Helm about types that the schema refuses.
    stdio: ["pipe", "pipe", "ignore"],
  })
  const renderings = JSON.parse(output) as Rendering[]
  const byText = new Map(distinct.map((text, index) => [text, renderings[index] as Rendering]))
  return texts.map((text) => byText.get(text) as Rendering)
}

function completed({
  values = "",
  release = "edge",
  namespace = "ingress",
  kubeVersion = "v1.37.1",
}: Job): string {
  return JSON.stringify({ values, release, namespace, kubeVersion })
}

/** @throws when it does not render */
export function render(values: Json, job: Job = {}): Rendering {
  const [rendering] = renderAll([{ ...job, values: JSON.stringify(values) }])
  if (rendering === undefined || rendering.error !== "") throw new Error(rendering?.error)
  return rendering
}

/** The first one of this kind whose name ends so. @throws when there is none */
export function find({ objects }: Rendering, kind: string, end = ""): KubernetesObject {
  const found = objects.find(({ object }) => object.kind === kind && object.metadata.name.endsWith(end))
  if (found === undefined) throw new Error(`There is no ${kind} …${end}`)
  return found.object
}

/** The lines that say what of the values has no effect. */
export function notices({ notes }: Rendering): string[] {
  return notes.split("\n").filter((line) => line.startsWith("- "))
}

/** Helm's own command line against an API server. */
export class Helm {
  readonly #env: NodeJS.ProcessEnv
  readonly #namespace: string

  /** @param dir for what Helm keeps of its own @param namespace of the releases */
  constructor(kubeconfig: string, dir: string, namespace: string) {
    const homes = Object.fromEntries(["CACHE", "CONFIG", "DATA"].map((home) => [`HELM_${home}_HOME`, dir]))
    this.#env = { ...process.env, ...homes, KUBECONFIG: kubeconfig }
    this.#namespace = namespace
  }

  /** @returns what it says @throws with what it says on standard error */
  async run(...args: readonly string[]): Promise<string> {
    const { stdout } = await execute(helmBinary, [...args, "--namespace", this.#namespace], {
      env: this.#env,
    })
    return stdout
  }

  /** @param values none is `values.yaml` of the chart alone */
  install(release: string, values: Json = {}, from = chart): Promise<string> {
    return this.run("install", release, from, "--create-namespace", ...setting(values))
  }

  upgrade(release: string, values: Json = {}): Promise<string> {
    return this.run("upgrade", release, chart, ...setting(values))
  }
}

const execute = promisify(execFile)

function setting(values: Json): string[] {
  return Object.entries(values).flatMap(([key, value]) => ["--set-json", `${key}=${JSON.stringify(value)}`])
}
