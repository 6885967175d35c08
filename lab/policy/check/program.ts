/** The program that wick itself asks about a policy before it uses one (`wick-policy`), where it has been built. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { modulesDir } from "../../../harness/paths.ts"
import type { Finding } from "./finding.ts"

const program = join(modulesDir, "wick-policy")
const name = "is taken by wick-policy, as by wick"

/** What it says of a module; nothing where it is not built. */
export function askProgram(file: string): Finding | undefined {
  if (!existsSync(program)) return undefined
  const folder = mkdtempSync(join(tmpdir(), "wick-policy-"))
  try {
    const { stdout } = spawnSync(program, ["compile", file, join(folder, "compiled")], { encoding: "utf8" })
    return findingOf(JSON.parse(stdout))
  } catch (error) {
    return { name, problem: `It does not answer: ${(error as Error).message}` }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Answer {
  readonly problem?: string
  readonly picks?: number
  readonly codeBytes?: number
}

function findingOf({ problem, picks = 0, codeBytes = 0 }: Answer): Finding {
  if (problem !== undefined) return { name, problem }
  return {
    name,
    seen: `${picks} picks within the limits of nginx, ${Math.ceil(codeBytes / 1024)} KiB compiled`,
  }
}
