// The system calls that a container may make under `seccomp: RuntimeDefault`: Debian packages the profile that podman and CRI-O take.
import { readFileSync } from "node:fs"

const packaged = "/usr/share/containers/seccomp.json"

interface Condition {
  readonly caps?: readonly string[]
  readonly arches?: readonly string[]
  readonly minKernel?: string
}

interface Rule {
  readonly names: readonly string[]
  readonly action: string
  readonly args?: readonly unknown[] | null
  readonly errnoRet?: number
  readonly includes?: Condition
  readonly excludes?: Condition
}

interface Profile {
  readonly defaultAction: string
  readonly defaultErrnoRet?: number
  readonly syscalls: readonly Rule[]
}

/** As the OCI runtime specification has it: without the conditions, which those that make containers resolve. */
export function runtimeDefault(capabilities: readonly string[]): object {
  const { defaultAction, defaultErrnoRet, syscalls }: Profile = JSON.parse(readFileSync(packaged, "utf8"))
  return {
    defaultAction,
    ...(defaultErrnoRet !== undefined && { defaultErrnoRet }),
    architectures: ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_AARCH64"],
    syscalls: syscalls
      .filter(({ includes, excludes }) => holds(includes, capabilities) && !excluded(excludes, capabilities))
      .map(({ names, action, args, errnoRet }) => ({
        names,
        action,
        ...(errnoRet !== undefined && { errnoRet }),
        ...(args?.length && { args }),
      })),
  }
}

function holds({ caps = [], arches = [] }: Condition = {}, capabilities: readonly string[]): boolean {
  const fits = arches.length === 0 || arches.includes(process.arch === "x64" ? "amd64" : process.arch)
  return fits && caps.every((name) => capabilities.includes(name))
}

function excluded({ caps = [], arches = [] }: Condition = {}, capabilities: readonly string[]): boolean {
  const isHere = arches.includes(process.arch === "x64" ? "amd64" : process.arch)
  return isHere || caps.some((name) => capabilities.includes(name))
}
