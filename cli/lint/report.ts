import type { ObjectName } from "../../controller/model/problem.ts"
import type { Relation } from "./relations.ts"
import type { Evidence } from "./subject.ts"

/** One thing that is not, or may not be, as it was. Texts are plain, without a final dot. */
export interface Finding {
  /** a difference, or the code of a Problem */
  readonly rule: string
  readonly relation: Relation
  /** nothing is wrong: wick could do more for it than ingress-nginx */
  readonly isHint?: true
  /** what it is about */
  readonly what: string
  /** what ingress-nginx does, if that is more than can be taken from the rest */
  readonly before?: string
  /** what wick does; of several values, what weighs most */
  readonly now: string
  /** what it does with the others, where that is not the same */
  readonly also?: readonly string[]
  /** what to do about it; absent: decide whether it matters */
  readonly change?: string
  readonly evidence: readonly Evidence[]
}

/** `same`: serves as before. `unread`: that could not be told. */
export type Verdict = Relation

export interface JudgedIngress {
  readonly object: ObjectName
  /** with what concerns all Ingresses */
  readonly verdict: Verdict
  /** without */
  readonly ownVerdict: Verdict
  readonly findings: readonly Finding[]
  /** what is wrong, and was before; hints */
  readonly notes: readonly Finding[]
  /** objects that it names and that were not among those that were read: what is in them was not looked at */
  readonly unseen: readonly ObjectName[]
}

/** About objects of the Gateway API, which ingress-nginx does not know. */
export interface GatewayReport {
  /** that are ours */
  readonly objects: number
  readonly findings: readonly Finding[]
}

export interface Report {
  readonly summary: Summary
  /** what the ConfigMap and the flags of the old controller come to for all Ingresses, or for some that say nothing of it themselves */
  readonly everyone: readonly Finding[]
  /** about the controller itself, and nothing that Ingresses serve */
  readonly controller: readonly Finding[]
  /** in order of their names */
  readonly ingresses: readonly JudgedIngress[]
  readonly gateway: GatewayReport
  /** what could not be read at all */
  readonly unread: readonly Finding[]
}

interface Summary {
  readonly ingresses: number
  readonly byVerdict: Readonly<Record<Verdict, number>>
  /** that would serve as before but for what concerns everyone */
  readonly sameByThemselves: number
  /** that serve as before if the objects hold nothing surprising that were not read */
  readonly sameUnseen: number
  /** of other controllers */
  readonly others: number
  /** differences that no object tells: what they depend on is sent by clients and backends */
  readonly beyondObjects: number
}
