import {
  type Condition,
  type ListenerStatus,
  noneProgrammed,
  type ObjectStatus,
} from "../model/object-status.ts"
import type { Problem } from "../model/problem.ts"

type Listening = Extract<ObjectStatus, { kind: "Gateway" | "ListenerSet" }>

/**
 * What is said of listeners whose port nginx could not have: they are accepted, and come into force when the port is free.
 *
 * @param statuses as if each had its port
 * @param problems those of ports count
 * @returns `statuses` itself where there are none
 */
export function withoutPorts(
  statuses: readonly ObjectStatus[],
  problems: readonly Problem[],
): readonly ObjectStatus[] {
  const own = problems.filter(({ code }) => code === "listener-port-taken" || code === "stream-port-taken")
  if (own.length === 0) return statuses
  return statuses.map((it) => {
    if (it.kind !== "Gateway" && it.kind !== "ListenerSet") return it
    const taken = messagesOf(it, own)
    return taken.size === 0 ? it : pending(it, taken)
  })
}

/** By the place of the listener. */
function messagesOf(
  { kind, namespace, name }: Listening,
  problems: readonly Problem[],
): ReadonlyMap<number, string> {
  const own = problems.filter(
    ({ object: of }) => of.kind === kind && of.namespace === namespace && of.name === name,
  )
  return new Map(own.map(({ field, message }) => [Number(/\[(\d+)\]/.exec(field)?.[1]), message]))
}

function pending(of: Listening, taken: ReadonlyMap<number, string>): ObjectStatus {
  const listeners = of.status.listeners.map((listener, at) => {
    const message = taken.get(at)
    return message === undefined ? listener : { ...listener, conditions: unprogrammed(listener, message) }
  })
  const isAny = listeners.some(({ conditions }) => conditions.some(isProgrammed))
  const conditions = isAny
    ? of.status.conditions
    : of.status.conditions.map((it) => (isProgrammed(it) ? noneProgrammed("Pending") : it))
  // The same kind as it was: the compiler does not follow that through a union.
  return { ...of, status: { ...of.status, conditions, listeners } } as Listening
}

/** What was wrong with it anyway comes first. */
function unprogrammed({ conditions }: ListenerStatus, message: string): readonly Condition[] {
  return conditions.map((it) =>
    isProgrammed(it) ? { ...it, status: "False", reason: "Pending", message } : it,
  )
}

function isProgrammed({ type, status }: Condition): boolean {
  return type === "Programmed" && status === "True"
}
