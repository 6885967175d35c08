import type { Problem } from "../model/problem.ts"
import type { Log } from "./log.ts"

/** One thing that happened to an object, as a Kubernetes Event says it. */
export interface Occasion {
  readonly object: Problem["object"]
  readonly type: "Normal" | "Warning"
  /** CamelCase, `RELOAD` */
  readonly reason: string
  readonly message: string
}

/** Tells the log about Problems once: when they appear and when they are gone. What stands unchanged from pass to pass is silent. */
export class ProblemReport {
  readonly #log: Pick<Log, "warn" | "info">
  #standing: ReadonlyMap<string, Problem> = new Map()

  constructor(log: Pick<Log, "warn" | "info">) {
    this.#log = log
  }

  /** @param problems all that stand now; the same one twice counts once */
  update(problems: readonly Problem[]): void {
    const now = new Map(problems.map((problem) => [keyOf(problem), problem]))
    for (const [key, problem] of now)
      if (!this.#standing.has(key)) this.#log.warn(fieldsOf(problem), "Problem")
    for (const [key, problem] of this.#standing)
      if (!now.has(key)) this.#log.info(fieldsOf(problem), "Problem settled")
    this.#standing = now
  }
}

/** Most Problems are the same objects from pass to pass, and a cluster may have thousands. */
const keys = new WeakMap<Problem, string>()

function keyOf(problem: Problem): string {
  const known = keys.get(problem)
  if (known !== undefined) return known
  const key = JSON.stringify(problem)
  keys.set(problem, key)
  return key
}

/** Writes an Event as a log line: with manifests there is no API server to keep it. */
export function logEvent(log: Pick<Log, "warn" | "info">, { object, type, reason, message }: Occasion): void {
  const fields = { object: printName(object), reason, detail: message }
  if (type === "Warning") log.warn(fields, "Event")
  else log.info(fields, "Event")
}

function fieldsOf({ object, field, code, message }: Problem) {
  return { object: printName(object), field, code, detail: message }
}

/** `Ingress "shop/cart"` */
export function printName({ kind, namespace, name }: Problem["object"]): string {
  return `${kind} ${JSON.stringify(namespace === "" ? name : `${namespace}/${name}`)}`
}
