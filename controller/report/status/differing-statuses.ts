import type { GatewayStatusWriter } from "../../input/provider/status.ts"
import { type ObjectStatus, statusKinds } from "../../model/object-status.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import { noEntries, printStatus, type StatusText } from "../../model/status-text.ts"
import { changesBetween } from "../../support/incremental/changes.ts"
import { compareText } from "../../support/order.ts"
import type { WantedPart } from "./status-kind.ts"

/**
 * The objects of the Gateway API whose status is not as it is wanted. Of thousands few are others from time to time: looked at are those of which something
 * else is wanted or seen than the last time, and those that differed then.
 */
export class DifferingStatuses {
  readonly #writer: Pick<GatewayStatusWriter, "current" | "changed">
  #statuses: readonly ObjectStatus[] = []
  readonly #wanted = new Map<string, StatusText>()
  /** names, those that have differed for longest first */
  #differing: ReadonlySet<string> = new Set()

  constructor(writer: Pick<GatewayStatusWriter, "current" | "changed">) {
    this.#writer = writer
  }

  /**
   * Those that have differed for longest first, in turns those that routes and policies are attached to and those that are attached: who attaches thousands
   * of routes looks at their Gateway how far it is, and a change of Gateways again and again is not to keep routes waiting. The last is written first.
   *
   * @param statuses all that are wanted; of other routes and policies we say nothing, and take back what we have said
   */
  among(statuses: readonly ObjectStatus[]): readonly WantedPart<StatusText>[] {
    const names = new Set([...this.#differing, ...this.#follow(statuses), ...this.#writer.changed()])
    const differing = [...names].flatMap((name) => this.#differingPart(name))
    this.#differing = new Set(differing.map(([name]) => name))
    const isAttachedTo = ([name]: WantedPart<StatusText>) =>
      /^(?:GatewayClass|Gateway|ListenerSet) /.test(name)
    const attached = differing.filter((part) => !isAttachedTo(part))
    return inTurns(attached, differing.filter(isAttachedTo))
  }

  /** @returns the names of those of which something else is wanted */
  #follow(statuses: readonly ObjectStatus[]): readonly string[] {
    const changes = changesBetween(this.#statuses, statuses, inOrder)
    this.#statuses = statuses
    const gone = changes.flatMap(({ before }) => (before === undefined ? [] : [nameOf(before)]))
    for (const name of gone) this.#wanted.delete(name)
    const come = changes.flatMap(({ after }) => after ?? [])
    for (const status of come) this.#wanted.set(nameOf(status), printStatus(status))
    return [...gone, ...come.map(nameOf)]
  }

  #differingPart(name: string): readonly WantedPart<StatusText>[] {
    const wanted = this.#wanted.get(name) ?? noEntries(name.slice(0, name.indexOf(" ")))
    const current = this.#writer.current(name)
    return wanted === undefined || current === undefined || current === wanted ? [] : [[name, wanted]]
  }
}

/** `HTTPRoute shop/cart` */
function nameOf(status: ObjectStatus): string {
  return [status.kind, qualifiedName(status)].join(" ")
}

/** The end is that of `b`, and alternates as long as there are some of both. */
function inTurns<T>(a: readonly T[], b: readonly T[]): readonly T[] {
  const [ofA, ofB] = [a.toReversed(), b.toReversed()]
  const length = Math.max(a.length, b.length)
  const pairs = Array.from({ length }, (_, at) => [...ofB.slice(at, at + 1), ...ofA.slice(at, at + 1)])
  return pairs.flat().toReversed()
}

/** As they mostly come. */
function inOrder(a: ObjectStatus, b: ObjectStatus): number {
  const byKind = statusKinds.indexOf(a.kind) - statusKinds.indexOf(b.kind)
  return byKind || compareText(a.namespace, b.namespace) || compareText(a.name, b.name)
}
