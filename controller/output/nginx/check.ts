import { spawn } from "node:child_process"
import { Failure, systemCode } from "../../support/failure.ts"
import type { Layout } from "./files.ts"

/** Longer than nginx ever needs, compiling the filter included. */
const timeoutMs = 60_000

/**
 * Lets nginx read a configuration file without serving it (`nginx -t`).
 *
 * @throws Failure `conf-refused` with nginx's own words, `nginx-missing` when the binary cannot be run, `check-lost` when it did not come to a verdict
 */
export function checkConf(nginx: string, layout: Layout, conf: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(nginx, ["-t", "-q", ...confArguments(layout, conf)], {
    // Our own stdout: nginx opens it as it will when it serves.
    stdio: ["ignore", "inherit", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    signal,
  })
  let output = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text
  })
  child.once("error", (error) =>
    reject(systemCode(error) === "ABORT_ERR" ? error : nginxMissing(nginx, error)),
  )
  child.once("close", (code, killedBy) => {
    if (code === 0) resolve()
    else if (code === null || output === "") reject(lost(killedBy ?? `exit code ${code}`))
    else reject(new Failure("conf-refused", `Cannot use the new nginx.conf: ${reasonIn(output)}`))
  })
  return promise
}

function lost(how: string): Failure {
  return new Failure("check-lost", `Cannot check the new nginx.conf: nginx -t ended with ${how}`)
}

/** The arguments that make nginx read `conf` and touch nothing outside the runtime directory. */
export function confArguments(layout: Layout, conf: string): string[] {
  return ["-c", conf, "-p", layout.dir, "-e", "stderr"]
}

export function nginxMissing(nginx: string, cause: unknown): Failure {
  return new Failure(
    "nginx-missing",
    `Cannot run nginx "${nginx}": install it or name another with --nginx`,
    {
      cause,
    },
  )
}

/** The first thing nginx complains about, without its prefix: `unknown "x" variable in /run/wick/nginx.conf:12`. */
export function reasonIn(output: string): string {
  const lines = output.split("\n").filter((line) => line !== "")
  const complaint = lines.find((line) => /\[(emerg|crit|alert|error)\]/.test(line)) ?? lines.at(-1)
  return complaint?.replace(/^.*?\[\w+\]\s*(\d+#\d+:\s*)?/, "").trim() ?? "nginx gave no reason"
}
