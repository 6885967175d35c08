import { contentName } from "../../../support/content-name.ts"
import type { ObjectEvent } from "../../provider/event.ts"
import { Recent } from "./recent.ts"

/** Events of one object, type and reason. */
interface Group {
  /** digests of the messages that are told by themselves */
  readonly messages: Set<string>
  lastMs: number
}

/** An Event as it is told; what has the same key is the same one happening again. */
export interface Grouped {
  readonly key: string
  readonly event: ObjectEvent
}

// Figures and rules of client-go, tools/record/events_cache.go.
const maxMessages = 10
const quietMs = 600_000
const maxGroups = 4096

/**
 * Says which Events are one and the same: those with the same message; and from the eleventh message on that an object has for one reason, all
 * that follow, until there was none for ten minutes.
 */
export class Grouping {
  readonly #groups = new Recent<Group>(maxGroups)
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  assign(event: ObjectEvent): Grouped {
    const key = groupKey(event)
    const { messages } = this.#group(key)
    const digest = digestOf(event.message)
    if (messages.size < maxMessages) messages.add(digest)
    if (messages.has(digest)) return { key: `${key} ${digest}`, event }
    return { key, event: { ...event, message: `(combined from similar events): ${event.message}` } }
  }

  #group(key: string): Group {
    const nowMs = this.#nowMs()
    const known = this.#groups.get(key)
    if (known !== undefined && nowMs - known.lastMs <= quietMs) {
      known.lastMs = nowMs
      return known
    }
    const group = { messages: new Set<string>(), lastMs: nowMs }
    this.#groups.set(key, group)
    return group
  }
}

function groupKey({ object: { kind, namespace, name, uid }, type, reason }: ObjectEvent): string {
  return JSON.stringify([kind, namespace, name, uid, type, reason])
}

/** Messages may have a kilobyte each, and there may be many. */
function digestOf(message: string): string {
  return contentName(message)
}
