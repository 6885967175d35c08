// The reference parser of OpenMetrics, which is the Prometheus project's for Python: Debian's package, so Debian's Python.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { root } from "../../harness/paths.ts"

/** Type, by family. @throws what the parser does not take */
export function openMetricsTypes(text: string): Readonly<Record<string, string>> {
  execFileSync(join(root, "build/packages.sh"), ["python3-prometheus-client"], { stdio: "inherit" })
  const script = join(import.meta.dirname, "openmetrics.py")
  const lines = execFileSync("/usr/bin/python3", [script], { input: text, encoding: "utf8" })
  return Object.fromEntries(
    lines
      .trim()
      .split("\n")
      .map((line) => line.split(" ")),
  )
}
