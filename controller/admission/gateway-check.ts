import { hostTaken } from "../core/declared/problems.ts"
import type { CandidateReader, JudgedCandidate, Standing } from "../core/gateway/candidate.ts"
import { printName } from "../model/problem.ts"
import type { Finding } from "./finding.ts"
import { type AskedObject, partOf, saysTheSame } from "./gateway-objects.ts"
import { isConflict, sortGatewayProblems } from "./problems.ts"

/** What an object of the Gateway API is held against. */
export interface GatewaySurroundings {
  readonly reader: CandidateReader
  /** what is there */
  readonly standing: Standing
  /** whether objects of a namespace are watched */
  readonly isWatched: (namespace: string) => boolean
  /** `namespace/name` of an Ingress that has a host */
  readonly ingressOf: (host: string) => string | undefined
}

/** Why it may not be, and what its author should know. */
interface Said {
  readonly refusals: readonly Finding[]
  readonly warnings: readonly Finding[]
}

export interface GatewayVerdict extends Said {
  /** it is served by this controller */
  readonly isOurs: boolean
}

const nothingToSay: GatewayVerdict = { refusals: [], warnings: [], isOurs: false }

/** @param old what it replaces. What was wrong before, and is the same, is a warning: an object that is there can be edited */
export function checkGatewayObject(
  asked: AskedObject,
  old: AskedObject | undefined,
  around: GatewaySurroundings,
): GatewayVerdict {
  if (old !== undefined && saysTheSame(asked.written, old.written)) return nothingToSay
  const { isOurs, said } = judge(asked, around)
  if (!isOurs) return nothingToSay
  const before = old && judge(old, around)
  const stood = new Set(before?.isOurs ? before.said.refusals.map((it) => identity(it, old)) : [])
  const isOld = (finding: Finding) => stood.has(identity(finding, asked))
  return {
    isOurs,
    refusals: said.refusals.filter((finding) => !isOld(finding)),
    warnings: [...said.refusals.filter(isOld), ...said.warnings],
  }
}

/** Lists may have moved: positions are no part of it. */
function identity({ field, message }: Finding, of: AskedObject | undefined): string {
  return JSON.stringify([message, of && partOf(of.written, field)])
}

function judge({ candidate }: AskedObject, around: GatewaySurroundings): { isOurs: boolean; said: Said } {
  if (!around.isWatched(candidate.meta.namespace)) return { isOurs: false, said: nothingToSay }
  const judged = around.reader.judge(candidate, around.standing)
  const { refusals, warnings } = sortGatewayProblems(judged.problems)
  return {
    isOurs: judged.isOurs,
    said: { refusals, warnings: [...warnings, ...ofOthers(judged), ...taken(judged, around)] },
  }
}

function ofOthers({ ofOthers: problems }: JudgedCandidate): readonly Finding[] {
  return problems.filter(isConflict).map(({ object, field, message }) => ({
    field: "",
    message: `${printName(object)} has a Problem then, at ${field}: ${message}`,
  }))
}

/** Refusing it would leave nobody a way to move an application from an Ingress. */
function taken({ sharedHosts }: JudgedCandidate, { ingressOf }: GatewaySurroundings): readonly Finding[] {
  return sharedHosts.flatMap((host) => {
    const [namespace, name] = ingressOf(host)?.split("/") ?? []
    if (namespace === undefined || name === undefined) return []
    return [{ field: "spec.hostnames", message: hostTaken(host, { kind: "Ingress", namespace, name }) }]
  })
}
