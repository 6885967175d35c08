import type { Ingress } from "../../controller/model/objects/ingress.ts"
import { reportOn } from "../lint/lint.ts"
import type { LintInput } from "../lint/read.ts"
import { translated } from "../lint/translated.ts"
import type { Sides } from "./asking/ask-both.ts"
import { countTasks, type ReplayOptions, replay } from "./asking/replay.ts"
import { type Causes, causesIn, noCauses } from "./report/causes.ts"
import { reportOf } from "./report/grouped.ts"
import type { DiffReport, Group } from "./report/report.ts"
import type { Chosen } from "./requests/chosen.ts"
import { type CurlOptions, curlOf } from "./requests/curl.ts"
import { derivedRequests } from "./requests/derive.ts"
import type { DiffRequest } from "./requests/request.ts"

// Two sides get the same requests; out comes what of their answers differs, and what is known that may be why. Nothing here knows where requests
// come from, or where objects do.

/** What objects tell: requests, and causes. */
export interface Known {
  readonly ingresses: readonly Ingress[]
  readonly requests: readonly DiffRequest[]
  readonly causes: Causes
}

export const nothingKnown: Known = { ingresses: [], requests: [], causes: noCauses }

/** @param nowMs when certificates are judged, milliseconds since 1970 */
export function knownFrom({ given, controller }: LintInput, nowMs: number): Known {
  const { ingresses } = given.objects
  const known = translated(given.objects, controller.options, nowMs)
  const report = reportOn(given, known, controller)
  const { hosts } = known.translation.model.live
  return {
    ingresses,
    requests: derivedRequests(known.subjects),
    causes: causesIn(report, { hosts, ingresses }),
  }
}

export interface DiffOptions extends ReplayOptions {
  readonly sides: Sides
  readonly curl: CurlOptions
  /** asks what serves a request on the new side; absent: nobody can be asked */
  readonly explain?: (request: Pick<DiffRequest, "scheme" | "host" | "target">) => Promise<string>
}

/** Ends early, with what there is, when the signal aborts. */
export async function diff(
  { requests, leftOut }: Chosen,
  causes: Causes,
  options: DiffOptions,
  signal: AbortSignal,
): Promise<DiffReport> {
  const { sides, curl, explain } = options
  const results = await replay(requests, sides, options, signal)
  const report = reportOf(results, countTasks(requests), leftOut, causes, (it) => curlOf(it, sides, curl))
  if (explain === undefined) return report
  const groups: Group[] = []
  for (const group of report.groups) {
    const { request } = group.example
    groups.push({ ...group, example: { ...group.example, explanation: await explain(request) } })
  }
  return { ...report, groups }
}
