import { compareText } from "../../../controller/support/order.ts"
import { absent, type Difference } from "../asking/compare.ts"
import type { Result } from "../asking/replay.ts"
import type { LeftOut } from "../requests/chosen.ts"
import type { DiffRequest } from "../requests/request.ts"
import { shownHeader, shownUrl } from "../requests/secrets.ts"
import type { Cause, Causes } from "./causes.ts"
import type { DiffReport, DiffSummary, Group } from "./report.ts"

/** How a request is shown, to be repeated by hand. */
export type Curl = (request: DiffRequest) => string

/** @param all how many things were to be asked for */
export function reportOf(
  results: readonly Result[],
  all: number,
  leftOut: readonly LeftOut[],
  causes: Causes,
  curl: Curl,
): DiffReport {
  return { summary: summaryOf(results, all, causes), groups: grouped(results, causes, curl), leftOut }
}

function summaryOf(results: readonly Result[], all: number, causes: Causes): DiffSummary {
  const differing = results.filter(({ outcome }) => outcome.differences.length > 0)
  const unanswered = results.filter(({ outcome }) => outcome.unanswered !== undefined)
  const alike = results.filter(({ outcome }) => outcome.differences.length === 0)
  const unstable = alike.filter(
    ({ outcome }) => outcome.unanswered === undefined && outcome.unstable.length > 0,
  )
  const isSame = ({ outcome }: Result) => outcome.unanswered === undefined && outcome.unstable.length === 0
  return {
    asked: results.length,
    notAsked: all - results.length,
    hosts: new Set(results.map(({ request }) => request.host)).size,
    same: alike.filter(isSame).length,
    different: differing.length,
    refused: differing.filter(({ outcome }) => outcome.isRefused).length,
    unstable: unstable.length,
    unanswered: unanswered.length,
    hostsThatDiffer: new Set(differing.map(({ request }) => request.host)).size,
    ingressesThatDiffer: [...new Set(differing.flatMap(({ request }) => causes.ingresses(request)))].sort(),
    whyUnanswered: counted(unanswered.map(({ outcome }) => outcome.unanswered ?? "")),
  }
}

function counted(words: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]))
}

/** One difference of one request. */
interface Single {
  readonly request: DiffRequest
  readonly isRefused: boolean
  readonly found: Difference
  readonly general: Difference
  readonly causes: readonly Cause[]
}

function grouped(results: readonly Result[], causes: Causes, curl: Curl): readonly Group[] {
  const singles = results.flatMap(({ request, outcome }) =>
    outcome.differences.map((found): Single => {
      const isRefused = outcome.isRefused && !found.aspect.startsWith("header")
      const general = generalOf(found, request)
      return { request, isRefused, found, general, causes: causes.of(request, found.aspect) }
    }),
  )
  const alike = Map.groupBy(singles, ({ general, isRefused, causes }) =>
    JSON.stringify([general, isRefused, causes.map(({ rule, now }) => [rule, now])]),
  )
  return [...alike.values()].map((group) => groupOf(group, causes, curl)).sort(byWeight)
}

function byWeight(a: Group, b: Group): number {
  const byRefusal = Number(b.isRefused) - Number(a.isRefused)
  return byRefusal || b.count - a.count || compareText(a.difference.aspect, b.difference.aspect)
}

function groupOf(group: readonly Single[], causes: Causes, curl: Curl): Group {
  const [first] = group
  if (first === undefined) throw new Error("a group has a member")
  const { request, found, general, isRefused } = first
  const { scheme, method, host, target, about } = request
  return {
    difference: general,
    isRefused,
    count: group.length,
    hosts: new Set(group.map((it) => it.request.host)).size,
    ingresses: [...new Set(group.flatMap((it) => causes.ingresses(it.request)))].sort(),
    causes: first.causes,
    example: {
      request: { scheme, method, host, target: shownUrl(target), about },
      was: shown(found.aspect, found.was),
      now: shown(found.aspect, found.now),
      curl: curl(request),
    },
  }
}

/** Without what is another one for each host and path. */
function generalOf({ aspect, was, now }: Difference, request: DiffRequest): Difference {
  const general = (text: string) => generalText(aspect, shown(aspect, text), request)
  return { aspect, was: general(was), now: general(now) }
}

const single: Readonly<Record<string, string>> = {
  body: "a body",
  names: "some names",
  expiry: "a date",
}

function generalText(aspect: string, text: string, { host, target }: DiffRequest): string {
  if (text === absent || text === "no bytes") return text
  if (aspect === "certificate") return text.replace(/^\w+ of/, "one of")
  const alike = single[aspect]
  if (alike !== undefined) return alike
  const withoutHost = text.replaceAll(host, "HOST")
  const path = target.replace(/\?.*/s, "")
  if (path.length < 2 || !urls.has(aspect)) return withoutHost
  return withoutHost.replaceAll(shownUrl(target), "PATH").replaceAll(path, "PATH")
}

const urls: ReadonlySet<string> = new Set(
  ["location", "refresh", "content-location", "link"].map((name) => `header ${name}`),
)

/** A cookie's value has gone already: its name and attributes are for everybody. */
function shown(aspect: string, text: string): string {
  const [, name] = /^header (.*)/.exec(aspect) ?? []
  return name === undefined || name === "set-cookie" || text === absent ? text : shownHeader(name, text)
}
