import { printName } from "../../controller/model/problem.ts"
import {
  type ProblemGroup,
  type ProblemGroups,
  type StandingProblem,
  severities,
} from "../../controller/model/standing-problem.ts"
import { dirsOf, layoutOf } from "../../controller/output/nginx/files.ts"
import { counted } from "../../controller/support/counted.ts"
import { Failure } from "../../controller/support/failure.ts"
import { askController } from "./ask-controller.ts"
import { type Asked, type Command, one, usage } from "./command.ts"
import { codeOf, codes } from "./problem.ts"
import { aligned, printable } from "./table.ts"
import { paint, type Style, type Terminal, writeJson, writeLines } from "./terminal.ts"

const head = ["CODE", "SEVERITY", "COUNT", "OBJECTS"]

/** Objects of a code in the list of codes. */
const maxListed = 2

/** As many of a code as the controller gives at once. */
const atOnce = 500

const styles: Readonly<Record<string, Style>> = { error: "red", warning: "yellow" }

export const problems: Command = {
  name: "problems",
  description: [
    "Lists what is wrong with objects, as the controller's last pass found it: one line for each code, the worst first. With --code, --ingress or --output wide: each Problem, and what to do.",
    "The controller is asked, not nginx. It exits with 0 whether there are some or none.",
  ],
  flags: [
    {
      name: "all-namespaces",
      short: "A",
      meaning: "of all namespaces: the default, and stronger than --namespace",
    },
    { name: "namespace", short: "n", valueName: "NAMESPACE", meaning: "of objects of this one" },
    { name: "severity", valueName: "SEVERITY", words: severities, meaning: `${severities.join(", ")}` },
    { name: "ingress", valueName: "NAMESPACE/NAME", meaning: "of this Ingress" },
    { name: "code", valueName: "CODE", words: codes, meaning: "with this code, or reason of an Event" },
  ],
  formats: ["wide", "name"],
  async run(asked, terminal) {
    const { groups } = await standing(asked)
    if (asked.json) return writeJson(terminal, groups.map(withoutPaging))
    if (asked.format === "name") return writeLines(terminal, names(groups))
    if (groups.length === 0) return writeLines(terminal, ["There are no Problems, as far as was asked"])
    const isDetailed = asked.format === "wide" || one(asked, "code") !== "" || one(asked, "ingress") !== ""
    writeLines(terminal, isDetailed ? detailed(groups, terminal) : list(groups, terminal))
  },
}

/** All that fit. @throws Failure `usage`, `problem-unknown`, `not-running` */
async function standing(asked: Asked): Promise<ProblemGroups> {
  const question = questionOf(asked)
  const dirs = dirsOf(asked.runtimeDir)
  for (const dir of dirs) {
    const ask = (more: Readonly<Record<string, string>>) =>
      askController<ProblemGroups>(
        layoutOf(dir).uiSocket,
        `/api/problems?${new URLSearchParams({ ...question, ...more })}`,
      )
    const first = await ask({})
    if (first !== undefined)
      return { ...first, groups: await Promise.all(first.groups.map((group) => whole(group, ask))) }
  }
  const where = dirs.map((dir) => JSON.stringify(dir)).join(" or ")
  throw new Failure(
    "not-running",
    `Cannot ask a controller in ${where}: name the directory of a running one with --runtime-dir`,
  )
}

async function whole(
  group: ProblemGroup,
  ask: (more: Readonly<Record<string, string>>) => Promise<ProblemGroups | undefined>,
): Promise<ProblemGroup> {
  const items = [...group.items]
  while (items.length < group.total) {
    const answer = await ask({ code: group.code, offset: String(items.length) })
    const more = answer?.groups[0]?.items ?? []
    if (more.length === 0) break // some were settled meanwhile
    items.push(...more)
  }
  return { ...group, items, total: items.length }
}

function questionOf(asked: Asked): Readonly<Record<string, string>> {
  const [severity, ingress, code] = [one(asked, "severity"), one(asked, "ingress"), one(asked, "code")]
  if (severity !== "" && !severities.some((known) => known === severity))
    throw usage(problems, `Cannot use --severity=${severity}, write ${severities.join(" or ")}`)
  if (ingress !== "" && !/^[^/]+\/[^/]+$/.test(ingress))
    throw usage(problems, `Cannot use --ingress=${ingress}, write NAMESPACE/NAME`)
  const namespace = asked.flags["all-namespaces"] === undefined ? one(asked, "namespace") : ""
  const question = {
    severity,
    ingress,
    namespace,
    code: code === "" ? "" : codeOf(code),
    limit: String(atOnce),
  }
  return Object.fromEntries(Object.entries(question).filter(([, text]) => text !== ""))
}

function withoutPaging({ code, severity, meaning, remedy, items }: ProblemGroup) {
  const found = items.map(({ object, field, message }) => ({ object, field, message }))
  return { code, severity, meaning, remedy, count: items.length, problems: found }
}

/** Objects, each once: `Ingress shop/cart`. */
function names(groups: readonly ProblemGroup[]): string[] {
  const all = groups.flatMap(({ items }) => items.map(({ object }) => printable(pathOf(object))))
  return [...new Set(all)].sort()
}

function pathOf({ kind, namespace, name }: StandingProblem["object"]): string {
  return [kind, namespace, name].filter((word) => word !== "").join("/")
}

function list(groups: readonly ProblemGroup[], terminal: Terminal): string[] {
  const rows = groups.map(({ code, severity, items }) => [code, severity, String(items.length), some(items)])
  const [title = "", ...lines] = aligned([head, ...rows])
  return [
    paint(terminal, "bold", title),
    ...lines.map((line, at) => painted(terminal, groups[at]?.severity ?? "", line)),
    "",
    "wick problems --code CODE lists those of one code, and what to do",
  ]
}

/** The first objects of a code. */
function some(items: readonly StandingProblem[]): string {
  const objects = [...new Set(items.map(({ object }) => printName(object)))]
  const more = objects.length - maxListed
  const first = objects.slice(0, maxListed).join(", ")
  return more > 0 ? `${first} and ${more} more` : first
}

function detailed(groups: readonly ProblemGroup[], terminal: Terminal): string[] {
  return groups.flatMap(({ code, severity, remedy, items }, at) => [
    ...(at === 0 ? [] : [""]),
    painted(terminal, severity, `${code} (${severity}, ${counted(items.length, "Problem")})`),
    `  ${remedy}.`,
    ...items.map(
      ({ object, field, message }) => `  ${printable(`${printName(object)} ${field}: ${message}`)}`,
    ),
  ])
}

function painted(terminal: Terminal, severity: string, line: string): string {
  const style = styles[severity]
  return style === undefined ? line : paint(terminal, style, line)
}
