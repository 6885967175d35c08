/** What is measured: the algorithms, what is asked of them, and what the reference's Lua took for the same. */
import { policies, type Settings } from "../simulate/policies.ts"

export interface Subject {
  readonly name: string
  /** Of lab/simulate/policies.ts. */
  readonly policy: string
  readonly settings: Settings
  /** The client's affinity cookie: none is asked for, it is sent, or it is missing and a new one is set. */
  readonly cookie: "none" | "sent" | "new"
  /** Does a request's key decide? Then keys should stay where they are when endpoints change. */
  readonly isKeyed: boolean
  /** Picks for one key that show all the endpoints it may get. */
  readonly picksPerKey: number
  /** Nanoseconds per pick: at most so many at 1,000 endpoints. */
  readonly targetNs: number | undefined
  /** Nanoseconds that ingress-nginx's Lua took for a pick (ewma: at 1,000 endpoints). */
  readonly referenceNs: number | undefined
}

function subject(name: string, more: Partial<Subject> = {}): Subject {
  const [policy = ""] = name.split(" ")
  return {
    name,
    policy,
    settings: policies[policy] ?? {},
    cookie: "none",
    isKeyed: false,
    picksPerKey: 1,
    targetNs: undefined,
    referenceNs: undefined,
    ...more,
  }
}

export const subjects: readonly Subject[] = [
  subject("round_robin", { targetNs: 20, referenceNs: 25 }),
  subject("ewma", { targetNs: 60, referenceNs: 6660 }),
  subject("least_conn"),
  subject("p2c"),
  subject("chash", { targetNs: 120, referenceNs: 1740, isKeyed: true }),
  subject("chashsubset", { isKeyed: true, picksPerKey: 24 }),
  subject("sticky_balanced", { targetNs: 150, referenceNs: 2110, cookie: "sent", isKeyed: true }),
  subject("sticky_persistent", { targetNs: 150, referenceNs: 2110, cookie: "sent", isKeyed: true }),
  subject("sticky_balanced new cookie", { cookie: "new" }),
  subject("sticky_persistent new cookie", { cookie: "new" }),
]

/** Picks of a round, and before those that count: by then V8 has compiled everything for good. Shorter rounds are noise. */
export const ENOUGH_PICKS = 100_000

export const sizes: readonly number[] = [1, 10, 100, 1000, 10_000]

/** At so many more endpoints a pick may take at most so much longer. */
export const growth = { from: 10, to: 10_000, atMost: 2 } as const

/** @throws Error for a name that is unknown */
export function subjectNamed(name: string): Subject {
  const found = subjects.find((subject) => subject.name === name)
  if (found) return found
  throw new Error(`There is no "${name}": choose of ${subjects.map(({ name }) => name).join(", ")}`)
}
