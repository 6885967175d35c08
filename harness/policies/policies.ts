// Policies for a real nginx: text → Wasm → what wick-policy makes of it, in a directory that the plane is told of.
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import binaryen from "binaryen"
import type { PolicyCounters } from "../../controller/model/policy-counters.ts"
import { modulesDir } from "../paths.ts"
import type { Plane } from "../plane.ts"

const program = join(modulesDir, "wick-policy")

/** What a backend of the control API says of a policy. */
export interface Policy {
  readonly name: string
  readonly digest: string
  readonly needs: number
}

export class PolicyDirectory implements AsyncDisposable {
  readonly path: string
  #count = 0

  private constructor(path: string) {
    this.path = path
  }

  static async make(): Promise<PolicyDirectory> {
    return new PolicyDirectory(await mkdtemp(join(tmpdir(), "wick-policies-")))
  }

  /** One that goes with the folder around it. */
  static async at(path: string): Promise<PolicyDirectory> {
    await mkdir(path, { mode: 0o755 })
    return new PolicyDirectory(path)
  }

  /** For the wasm block. */
  get directives(): string {
    return `policy_directory ${this.path};`
  }

  /** Compiles a policy. Throws with the program's sentence when it refuses. */
  async add(name: string, wat: string): Promise<Policy> {
    const wasm = wasmOf(wat)
    this.#count += 1
    const from = join(this.path, `${this.#count}.wasm`)
    const to = join(this.path, `${this.#count}.out`)
    await writeFile(from, wasm)
    const answer = await made(from, to)
    if (answer.problem !== undefined) throw new Error(String(answer.problem))
    const { digest, needs } = answer as { digest: string; needs: number }
    await rename(to, join(this.path, `${digest}.cwasm`))
    return { name, digest, needs }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true })
  }
}

function wasmOf(wat: string): Uint8Array {
  const module = binaryen.parseText(wat)
  const features = binaryen.Features
  module.setFeatures(features.BulkMemory | features.BulkMemoryOpt | features.MutableGlobals)
  try {
    return module.emitBinary()
  } finally {
    module.dispose()
  }
}

/** What the program says. */
async function made(from: string, to: string): Promise<Record<string, unknown>> {
  return JSON.parse(await printed(["compile", from, to]))
}

/** Its line, whether it takes the policy or refuses it. */
async function printed(args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, args)).stdout
  } catch (error) {
    if (isRefusal(error)) return error.stdout
    throw error
  }
}

function isRefusal(error: unknown): error is { readonly stdout: string } {
  return error instanceof Error && "code" in error && error.code === 2 && "stdout" in error
}

/** Fields of a backend whose endpoints a policy chooses. */
export function custom({ name, digest, needs }: Policy, config?: string): object {
  return { "load-balance": "custom", policy: { name, digest, needs, ...(config && { config }) } }
}

/** For the server of a plane. */
export const policiesLocation =
  "location = /policies { default_type application/json; return 200 $wasm_policies; }"

/** All workers' counters of one policy; nothing counted: undefined. */
export async function rowOf(plane: Plane, { digest }: Policy): Promise<PolicyCounters | undefined> {
  const rows = (await plane.nginx.get("/policies")).json() as PolicyCounters[]
  return rows.find((row) => row.digest === digest)
}
