import { type Change, changes } from "../../../cli/convert/changes.ts"
import type { Remark } from "../../../cli/convert/conversion.ts"
import type { DiffReport, Group } from "../../../cli/diff/report/report.ts"

// Which remark of convert says beforehand what `wick diff` finds of an Ingress.

/** A remark by what it says: that the Ingress is closed, that something of it is missing, or how it changes. */
type Kind = "closed" | "left-out" | Change | "nothing"

/** Of an Ingress (`namespace/name`) in a group. */
export type Saying = (name: string, group: Group) => Kind

/** Remarks by Ingress. @param isForWick annotations that are left out have no effect before either, but for those of hosts */
export function sayingOf(remarks: readonly Remark[], isForWick: boolean): Saying {
  const known = Map.groupBy(
    remarks.filter(({ object }) => object.kind === "Ingress"),
    ({ object }) => `${object.namespace}/${object.name}`,
  )
  return (name, group) => {
    const said = known.get(name)?.find((remark) => says(remark, group, isForWick))
    return said === undefined ? "nothing" : kindOf(said)
  }
}

function kindOf({ kind, change }: Remark): Kind {
  return kind === "open" ? "closed" : (change ?? "left-out")
}

function says({ kind, change, field }: Remark, { difference }: Group, isForWick: boolean): boolean {
  const { aspect, was, now } = difference
  if (kind === "open") return aspect === "status" || aspect === "answer"
  if (kind === "left-out") return field.startsWith("spec.") || !isForWick
  if (change === undefined) return false
  const { [change]: shows = () => true } = showing
  return shows(aspect, was, now)
}

type Shows = (aspect: string, was: string, now: string) => boolean

/** In what it shows, where that is not everything. */
const showing: Partial<Record<Change, Shows>> = {
  sessions: (aspect) => aspect === "header set-cookie",
  origins: (aspect) => /^header (?:access-control-|vary$)/.test(aspect),
  // The statuses of both are the same where anything else is told.
  unmatched: (aspect, was) => aspect !== "status" || was === "404",
  redirects: (aspect) => aspect.startsWith("header "),
  root: (aspect, _, now) => aspect !== "status" || now === "404",
}

export interface Compared extends Pick<DiffReport, "summary" | "groups"> {
  readonly said: Saying
}

/** Ingresses that differ in what a remark of this kind says. */
export function saidOf(kind: Kind, { groups, said }: Compared): readonly string[] {
  const names = groups.flatMap((group) => group.ingresses.filter((name) => said(name, group) === kind))
  return [...new Set(names)].sort()
}

const titles: Readonly<Record<Kind, string>> = {
  closed: "closed: what kept requests away has no equivalent",
  "left-out": "something of it was left out",
  ...changes,
  nothing: "without a remark",
}

/** In Markdown. */
export function comparedTable(count: number, wick: Compared, any: Compared): string {
  const both = [wick, any]
  const row = (title: string, of: (one: Compared) => number) => `| ${title} | ${both.map(of).join(" | ")} |`
  const open = (one: Compared) => saidOf("nothing", one).length
  const kinds = Object.keys(titles) as Kind[]
  return [
    "# Published Ingresses before and after",
    "",
    `${count} published Ingresses of 110 repositories, and what \`wick convert\` makes of them, both served by wick, and asked by \`wick diff\`. Each Ingress that differs has a remark of its own that says so.`,
    "Printed by `test/nginx/controller/converted-corpus.test.ts`.",
    "",
    "| Ingresses | `--for-wick` | without |",
    "| --- | --- | --- |",
    row("answer the same", ({ summary }) => count - summary.ingressesThatDiffer.length),
    row("differ, as a remark has said", (one) => one.summary.ingressesThatDiffer.length - open(one)),
    "",
    "Those that differ by what was said of them; some have several remarks:",
    "",
    "| | `--for-wick` | without |",
    "| --- | --- | --- |",
    ...kinds.map((kind) => row(titles[kind], (one) => saidOf(kind, one).length)),
    "",
  ].join("\n")
}
