import { type StatusKind, statusKinds } from "../model/object-status.ts"
import { kinds } from "../model/objects/kinds.ts"
import { isRecord } from "../model/objects/reader.ts"

type ReviewedKind = "Ingress" | Exclude<StatusKind, "GatewayClass">

/** A class has no rule to break. */
const reviewedKinds: readonly ReviewedKind[] = [
  "Ingress",
  ...statusKinds.filter((kind) => kind !== "GatewayClass"),
]

/** What a body asks. */
export type Asked =
  | { readonly kind: "review"; readonly review: Review }
  /** the body is none, or about something else: the status to answer, without a body */
  | { readonly kind: "unusable"; readonly status: 400 | 500 }

/** The part of a request that a check looks at. Source: Kubernetes, admission.k8s.io/v1 AdmissionReview. */
export interface Review {
  readonly uid: string
  readonly kind: ReviewedKind
  /** `CREATE`, `UPDATE` …, "" when it does not say */
  readonly operation: string
  readonly object: unknown
  /** of an update: what it replaces */
  readonly oldObject: unknown
}

/** What is answered. */
export interface Response {
  readonly uid: string
  readonly warnings: readonly string[]
  /** why not; absent: allowed */
  readonly refusal?: string
}

const unusable = {
  notAReview: { kind: "unusable", status: 400 },
  another: { kind: "unusable", status: 500 },
} as const

/** The statuses are those of ingress-nginx, but for a review without request, which ends its handler. */
export function parseReview(text: string): Asked {
  const value = parsed(text)
  const isReview =
    isRecord(value) && value.apiVersion === "admission.k8s.io/v1" && value.kind === "AdmissionReview"
  const request = isReview ? value.request : undefined
  if (!isRecord(request)) return unusable.notAReview
  const kind = reviewedKind(request.kind)
  if (kind === undefined) return unusable.another
  const { uid, operation, object, oldObject } = request
  return {
    kind: "review",
    review: { uid: textOf(uid), kind, operation: textOf(operation), object, oldObject },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reviewedKind(asked: unknown): ReviewedKind | undefined {
  if (!isRecord(asked)) return undefined
  const kind = reviewedKinds.find((it) => it === asked.kind)
  return kind && kinds[kind].apiVersion === `${asked.group}/${asked.version}` ? kind : undefined
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}

/** The answer's body. The request is not sent back: nobody reads it. */
export function printResponse({ uid, warnings, refusal }: Response): string {
  return JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: {
      uid,
      allowed: refusal === undefined,
      ...(warnings.length > 0 && { warnings }),
      ...(refusal !== undefined && {
        status: { status: "Failure", message: refusal, reason: "BadRequest", code: 400 },
      }),
    },
  })
}
