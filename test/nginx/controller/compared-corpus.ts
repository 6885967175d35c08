import { type Change, changes } from "../../../cli/convert/changes.ts"
import type { Remark } from "../../../cli/convert/conversion.ts"
import type { DiffReport, Group } from "../../../cli/diff/report/report.ts"

// Which remark of convert says beforehand what `wick diff` finds of an Ingress.

/** A remark by what it says: that the Ingress is closed, that something of it is missing, or how it changes. */
type Kind = "closed" | "left-out" | Change | "slash" | "nothing"

export interface Saying {
  /** for each namespace of the group the remarks of one of its Ingresses: those of a namespace share their hosts, and nobody else does */
  readonly kindsFor: (group: Group) => readonly Kind[]
}

/** Remarks by Ingress. @param isForWick annotations that are left out have no effect before either, but for those of hosts */
export function sayingOf(remarks: readonly Remark[], isForWick: boolean): Saying {
  const known = Map.groupBy(
    remarks.filter(({ object }) => object.kind === "Ingress"),
    ({ object }) => object.namespace,
  )
  const kindsFor = (group: Group) => {
    const namespaces = new Set(group.ingresses.map((name) => name.split("/")[0] ?? ""))
    return [...namespaces].map((namespace): Kind => {
      const said = (known.get(namespace) ?? []).find((remark) => says(remark, group, isForWick))
      if (said !== undefined) return kindOf(said)
      return !isForWick && isSlash(group) ? "slash" : "nothing"
    })
  }
  return { kindsFor }
}

/** What docs/convert.md says of all: a redirect to HTTPS keeps the slash at the end of a path. */
function isSlash({ difference: { aspect, was, now }, example: { request } }: Group): boolean {
  const both = [was, now].every((text) => text.startsWith("https://HOST"))
  return aspect === "header location" && request.scheme === "http" && both
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

const titles: Readonly<Record<Kind, string>> = {
  closed: "closed: what kept requests away has no equivalent",
  "left-out": "something of it was left out",
  ...changes,
  slash: "a redirect to HTTPS keeps the slash at the end of a path (said of all)",
  nothing: "without a remark",
}

/** In Markdown. */
export function comparedTable(count: number, wick: Compared, any: Compared): string {
  const both = [wick, any]
  const row = (title: string, of: (one: Compared) => number) => `| ${title} | ${both.map(of).join(" | ")} |`
  const kinds = Object.keys(titles) as Kind[]
  return [
    "# Published Ingresses before and after",
    "",
    `${count} published Ingresses of 110 repositories, and what \`wick convert\` makes of them, both served by wick, and asked by \`wick diff\`. Each difference belongs to a remark of convert.`,
    "Printed by `test/nginx/controller/converted-corpus.test.ts`.",
    "",
    "| Ingresses | `--for-wick` | without |",
    "| --- | --- | --- |",
    row("answer the same", ({ summary }) => count - summary.ingressesThatDiffer.length),
    row("differ, as a remark has said", ({ summary, groups, said }) => {
      const open = groups.filter((group) => said.kindsFor(group).includes("nothing"))
      return summary.ingressesThatDiffer.length - new Set(open.flatMap((group) => group.ingresses)).size
    }),
    "",
    "Those that differ by what was said of them; some have several remarks:",
    "",
    "| | `--for-wick` | without |",
    "| --- | --- | --- |",
    ...kinds.map((kind) => row(titles[kind], (one) => countOf(kind, one))),
    "",
  ].join("\n")
}

function countOf(kind: Kind, { groups, said }: Compared): number {
  return new Set(
    groups.flatMap((group) => (said.kindsFor(group).includes(kind) ? namespacesOf(group, kind, said) : [])),
  ).size
}

function namespacesOf(group: Group, kind: Kind, said: Saying): readonly string[] {
  return group.ingresses.filter((name) => said.kindsFor({ ...group, ingresses: [name] }).includes(kind))
}
