import type { Problem } from "../model/problem.ts"
import type { ProblemCode } from "../model/problems/catalogue.ts"
import { problemCatalogue } from "../model/problems/catalogue.ts"
import type { Finding } from "./finding.ts"

/** What is wrong with the Ingress itself: it would not be served as it is written. Source for annotations: ingress-nginx refuses what fails its validation. */
const refusing: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "annotation-refused",
  "annotation-guard-closes",
  "modsecurity-rules-refused",
  "snippet-not-allowed",
  "host-refused",
  "path-refused",
  "service-name-refused",
  "port-name-refused",
])

/** The objects that an Ingress names may come after it. The default backend and the rules of the operator have checks of their own. */
const passedOver: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "reference-missing",
  "catch-all-disabled",
  "annotation-forbidden",
  "annotation-required",
  "host-forbidden",
])

/** What a pass would say. */
interface Sorted {
  /** refuses the object */
  readonly refusals: readonly Finding[]
  /** only its author should know */
  readonly warnings: readonly Finding[]
}

export function sortProblems(problems: readonly Problem[]): Sorted {
  return sorted(problems, refusing, passedOver)
}

/** What is wrong with an object of the Gateway API itself, or gets nothing because others were there first. */
const refusingGateways: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  ...refusing,
  "annotation-forbidden",
  "annotation-required",
  "host-forbidden",
  "address-unsupported",
  "backend-kind",
  "backend-without-port",
  "listener-refused",
  "listener-conflict",
  "policy-unsupported",
  "policy-conflict",
  "route-unsupported",
])

/** What it names, or what has to allow it, may come after it; addresses do. */
const comingLater: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "reference-missing",
  "reference-not-permitted",
  "listener-certificate",
  "authority-unusable",
  "gateway-parameters",
  "gateway-address",
])

/** Whether it is about what may come after the object. */
export function isComingLater({ code }: Problem): boolean {
  return comingLater.has(code)
}

export function sortGatewayProblems(problems: readonly Problem[]): Sorted {
  return sorted(problems, refusingGateways, comingLater)
}

/** Whether somebody else loses what he has. */
export function isConflict({ code }: Problem): boolean {
  return code === "listener-refused" || code === "listener-conflict" || code === "policy-conflict"
}

type Codes = ReadonlySet<ProblemCode>

function sorted(problems: readonly Problem[], refuses: Codes, isPassedOver: Codes): Sorted {
  const refusals: Finding[] = []
  const warnings: Finding[] = []
  for (const problem of problems) {
    const { code, field, message } = problem
    if (isPassedOver.has(code)) continue
    if (!refuses.has(code)) {
      if (problemCatalogue[code].severity !== "info") warnings.push(problem)
    } else refusals.push({ field, message: saysOutcome(code) ? withoutOutcome(problem) : message })
  }
  return { refusals, warnings }
}

function saysOutcome(code: ProblemCode): boolean {
  return refusing.has(code) || code === "annotation-forbidden" || code === "annotation-required"
}

/** These messages end with what becomes of the part if the Ingress is there nevertheless. */
function withoutOutcome({ message }: Problem): string {
  const end = message.lastIndexOf("; ")
  return end < 0 ? message : message.slice(0, end)
}
