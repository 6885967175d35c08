import { annotations, plannedAnnotations } from "../../controller/core/annotations/table.ts"
import { type Capability, capabilities } from "../../controller/core/options/capabilities.ts"
import { flagTable } from "../../controller/core/options/flag-table.ts"
import { gateway } from "../../controller/core/options/flags/gateway.ts"
import { logging } from "../../controller/core/options/flags/klog.ts"
import { own } from "../../controller/core/options/flags/own.ts"
import { keys, plannedKeys, unneededKeys } from "../../controller/core/options/key-table.ts"
import { platform } from "../../controller/core/options/keys/platform.ts"
import { policies } from "../../controller/core/options/keys/policies.ts"
import { ignoredFlags, plannedFlags } from "./flags.ts"
import { table } from "./markdown.ts"

// How much of ingress-nginx 1.15 there is, counted in the tables.

/** What becomes of the annotations, keys or flags of ingress-nginx; the sum of the numbers is how many it has. */
interface Count {
  readonly name: string
  readonly page: string
  readonly effective: number
  /** taken without effect: wick has nothing to do for them */
  readonly unneeded: number
  readonly planned: number
}

const uncounted = new Set(Object.keys({ ...own, ...gateway, ...logging }))
const isCounted = ({ name }: { readonly name: string }) => !uncounted.has(name)
const theirFlags = Object.keys(flagTable).filter((name) => isCounted({ name }))
const unneededFlags = ignoredFlags.filter(isCounted)

const ownFamilies = [policies, platform]
const ownKeys = new Set<string>([
  ...ownFamilies.flatMap(({ entries }) => Object.values(entries).map(({ name }) => name)),
  "zone-sizes",
  "max-zone-size",
  "zone-share",
  "use-http3",
  "quic-retry",
  "access-log-sample-rate",
  "otel-propagators",
  "otlp-collector-tls-secret",
  "auth-namespaces",
  "unsupported-guards",
])

/** Without our own, without the keys that ingress-nginx itself does nothing with, and without the flags of its logging library. */
export const counts: readonly Count[] = [
  {
    name: "annotations",
    page: "annotations.md",
    effective: annotations.filter(({ isOwn, isUnneeded }) => !(isOwn || isUnneeded)).length,
    unneeded: annotations.filter(({ isUnneeded }) => isUnneeded).length,
    planned: plannedAnnotations.length,
  },
  {
    name: "keys of the ConfigMap",
    page: "configmap.md",
    effective: keys.filter(({ name }) => !ownKeys.has(name)).length,
    unneeded: unneededKeys.length,
    planned: plannedKeys.length,
  },
  {
    name: "flags",
    page: "flags.md",
    effective: theirFlags.length - unneededFlags.length - plannedFlags.length,
    unneeded: unneededFlags.length,
    planned: plannedFlags.length,
  },
]

/** @param folder of the pages, with a slash at its end */
export function countsTable(folder: string): string {
  const rows = counts.map(({ name, page, effective, unneeded, planned }) => [
    `[${name}](${folder}${page})`,
    `**${effective}** of ${effective + unneeded + planned}`,
    String(unneeded),
    String(planned),
  ])
  return table(["of ingress-nginx 1.15", "in effect", "nothing to do", "planned"], rows)
}

/** What is planned, by what it comes with. */
export function plannedTable(): string {
  const lists = [plannedAnnotations, plannedKeys, plannedFlags]
  const rows = Object.entries(capabilities).map(([capability, words]) => [
    words,
    ...lists.map((list) =>
      String(list.filter(({ planned }) => planned === (capability as Capability)).length),
    ),
  ])
  return table(["planned with", "annotations", "keys", "flags"], rows)
}

const mark = /(<!-- counts -->\n).*?(<!-- \/counts -->)/s

/** The text of a page with the numbers of today between its marks, `<!-- counts -->` and `<!-- /counts -->`. */
export function withCounts(text: string): string {
  return text.replace(
    mark,
    (_, begin: string, end: string) => `${begin}\n${countsTable("docs/reference/")}\n\n${end}`,
  )
}
