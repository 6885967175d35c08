// What beside files decides whether a test passes: the programs of this machine, who runs it, and settings in the environment.
import { execFileSync } from "node:child_process"

/** Where things are kept, and how much is run, changes no result. */
const irrelevant = ["WICK_CACHE", "WICK_TEST_ALL"]

export function surroundingsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const settings = Object.entries(env)
    .filter(([name]) => name.startsWith("WICK_") && !irrelevant.includes(name))
    .map(([name, value]) => `${name}=${value}`)
    .sort()
  return [
    `node ${process.version} ${process.arch}`,
    `user ${process.getuid?.()}`,
    versionOf("rustc", "--version"),
    versionOf("go", "version"),
    ...settings,
  ]
}

function versionOf(program: string, ...args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()
  } catch {
    return `no ${program}`
  }
}
