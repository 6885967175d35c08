import { execFile } from "node:child_process"
import { Failure } from "../support/failure.ts"
import type { Layout } from "./files.ts"

/** Longer than nginx ever needs, compiling the filter included. */
const timeoutMs = 60_000

/**
 * Lets nginx read a configuration file without serving it (`nginx -t`).
 *
 * @throws Failure `conf-refused` with nginx's own words, `nginx-missing` when the binary cannot be run
 */
export function checkConf(nginx: string, layout: Layout, conf: string, signal: AbortSignal): Promise<void> {
  const args = ["-t", "-q", ...confArguments(layout, conf)]
  return new Promise((resolve, reject) => {
    execFile(nginx, args, { signal, timeout: timeoutMs, killSignal: "SIGKILL" }, (error, _, stderr) => {
      if (error) reject(failureOf(nginx, error, stderr))
      else resolve()
    })
  })
}

/** The arguments that make nginx read `conf` and touch nothing outside the runtime directory. */
export function confArguments(layout: Layout, conf: string): string[] {
  return ["-c", conf, "-p", layout.dir, "-e", "stderr"]
}

function failureOf(
  nginx: string,
  error: Error & { code?: unknown; killed?: boolean },
  stderr: string,
): Failure {
  if (error.code === "ENOENT" || error.code === "EACCES") return nginxMissing(nginx, error)
  if (error.killed)
    return new Failure(
      "conf-refused",
      `Cannot check nginx.conf: nginx -t took more than ${timeoutMs / 1000} s`,
    )
  return new Failure("conf-refused", `Cannot use the new nginx.conf: ${reasonIn(stderr)}`, { cause: error })
}

export function nginxMissing(nginx: string, cause: unknown): Failure {
  return new Failure(
    "nginx-missing",
    `Cannot run nginx "${nginx}": install it or name another with --nginx`,
    { cause },
  )
}

/** The first thing nginx complains about, without its prefix: `unknown "x" variable in /run/wick/nginx.conf:12`. */
export function reasonIn(output: string): string {
  const lines = output.split("\n").filter((line) => line !== "")
  const complaint = lines.find((line) => /\[(emerg|crit|alert|error)\]/.test(line)) ?? lines.at(-1)
  return complaint?.replace(/^.*?\[\w+\]\s*(\d+#\d+:\s*)?/, "").trim() ?? "nginx gave no reason"
}
