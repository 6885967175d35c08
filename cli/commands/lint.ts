import { lint as lintObjects } from "../lint/lint.ts"
import type { LintInput } from "../lint/read.ts"
import type { Report } from "../lint/report.ts"
import { type Asked, type Command, type CommandFlag, one, type Place, usage } from "./command.ts"
import { printable } from "./table.ts"
import { paint, type Terminal, writeJson, writeLines } from "./terminal.ts"

/** What the process ends with; 1 is what every command ends with that could not do what it was asked for. */
const exitCodes = { same: 0, different: 2, closed: 3, open: 4 } as const

const formats = ["text", "json", "sarif"]

/** Where objects are, and what is not among them. */
export const controllerFlags: readonly CommandFlag[] = [
  { name: "kubeconfig", valueName: "FILE", meaning: "read the cluster that it leads to" },
  { name: "values", valueName: "FILE", meaning: "values of the Helm release of ingress-nginx" },
  {
    name: "controller",
    valueName: "NAMESPACE/NAME",
    meaning: "which Deployment or DaemonSet is meant, where there are several",
  },
  {
    name: "flag",
    valueName: "FLAG",
    meaning: "a flag of the old controller, as --flag=--ingress-class=web",
  },
]

export const lint: Command = {
  name: "lint",
  description: [
    "Reads Ingresses and what belongs to them from the manifests below DIR, or from a cluster with --kubeconfig, and holds them against all known differences.",
    "The old controller's flags come from its Deployment or DaemonSet if that is there, too, or from --values; its ConfigMap is the one that the flags name.",
    "It asks no wick, and writes nothing. Exit codes: 0 all serve as before, 2 some serve with differences or could not be judged, 3 some are closed, 4 some are open to requests that were kept out, 1 it could not be done.",
  ],
  flags: [
    ...controllerFlags,
    { name: "format", valueName: "FORMAT", meaning: `${formats.join(", ")}; --json is --format json` },
    {
      name: "all",
      meaning: "text: also Ingresses that serve as before, and what is wrong with them before and after",
    },
  ],
  async run(asked, terminal, place) {
    const format = formatOf(asked)
    const read = await readAll(asked, place)
    const report = lintObjects(read.given, { ...read.controller, nowMs: Date.now() })
    if (format === "json") writeJson(terminal, { readFrom: read.name, ...report })
    else if (format === "sarif") {
      const { sarif } = await import("../lint/sarif.ts")
      writeJson(terminal, sarif(report, place.release, read.locate))
    } else await writeText(report, read.name, asked, terminal)
    terminal.endWith?.(exitCodeOf(report))
  },
}

async function readAll(asked: Asked, place: Place): Promise<LintInput> {
  const [directory = ""] = asked.operands
  if ((directory === "") === (one(asked, "kubeconfig") === ""))
    throw usage(lint, "It needs either a directory or --kubeconfig FILE")
  return readObjects(asked, directory, place)
}

/** What `controllerFlags` lead to. @param directory "" for the cluster of `--kubeconfig` @throws Failure */
export async function readObjects(asked: Asked, directory: string, place: Place): Promise<LintInput> {
  const { readForLint } = await import("../lint/read.ts")
  return readForLint({
    directory,
    kubeconfig: one(asked, "kubeconfig"),
    values: one(asked, "values"),
    controller: one(asked, "controller"),
    flags: (asked.flags.flag ?? []).map(String),
    service: place.service,
    release: place.release,
  })
}

async function writeText(report: Report, name: string, asked: Asked, terminal: Terminal): Promise<void> {
  const { reportText } = await import("../lint/print-text.ts")
  const lines = reportText(report, asked.flags.all !== undefined)
  const of =
    name === "" ? "No controller was found: its flags are taken to be the defaults." : `Flags of ${name}.`
  writeLines(terminal, [
    ...lines.slice(0, 1).map(({ text }) => paint(terminal, "bold", text)),
    printable(of),
    ...lines.slice(1).map(({ text, style }) => {
      const safe = printable(text)
      return style === undefined ? safe : paint(terminal, style, safe)
    }),
  ])
}

function formatOf(asked: Asked): string {
  const format = one(asked, "format") || (asked.json ? "json" : "text")
  if (formats.includes(format)) return format
  throw usage(lint, `Cannot use --format=${format}, write ${formats.join(" or ")}`)
}

function exitCodeOf({ summary, everyone, controller, gateway, unread }: Report): number {
  const { same, closed, open } = summary.byVerdict
  if (open > 0) return exitCodes.open
  if (closed > 0 || gateway.findings.some(({ relation }) => relation === "closed")) return exitCodes.closed
  const isSame =
    same === summary.ingresses &&
    [...everyone, ...controller, ...gateway.findings, ...unread].every(({ relation }) => relation === "same")
  return isSame ? exitCodes.same : exitCodes.different
}
