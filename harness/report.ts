// A benchmark's written result: what was measured, on what, with which versions, and its figures.
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { cpus, release } from "node:os"
import { join } from "node:path"
import { root } from "./paths.ts"

export interface Report {
  /** File name in bench/results without `.md`. */
  readonly name: string
  readonly title: string
  /** What was done, in sentences: enough to judge the figures and to do it again. */
  readonly method: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
  /** What the figures mean: targets reached or not, and why. */
  readonly remarks?: readonly string[]
}

/** Writes bench/results/<name>.md and prints it. */
export function write(report: Report): void {
  writeFileSync(join(root, "bench/results", `${report.name}.md`), `${text(report)}\n`)
  print(report)
}

/** Prints it: what was not measured in full is no result. */
export function print(report: Report): void {
  process.stdout.write(`${text(report)}\n`)
}

function text(report: Report): string {
  const line = (cells: readonly unknown[]) => `| ${cells.join(" | ")} |`
  return [
    `# ${report.title}`,
    report.method,
    [line(report.columns), line(report.columns.map(() => "---")), ...report.rows.map(line)].join("\n"),
    ...(report.remarks ?? []),
    `${machine()} Made by \`build/node bench/${report.name}.ts\`.`,
  ].join("\n\n")
}

/** Date, machine, versions: one line. */
export function machine(): string {
  const cores = cpus()
  const header = readFileSync(join(root, "out/nginx-src/src/core/nginx.h"), "utf8")
  const nginx = /#define NGINX_VERSION +"(.+)"/.exec(header)?.[1]
  const commit = process.env.WICK_COMMIT || gitCommit()
  const parts = [
    new Date().toISOString().slice(0, 10),
    `${cores[0]?.model}, ${cores.length} cores, Linux ${release()}`,
    `nginx ${nginx}, Node ${process.version}, commit ${commit}.`,
  ]
  return parts.join(" · ")
}

function gitCommit(): string {
  return execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim()
}
