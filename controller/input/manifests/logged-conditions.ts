import { recordOf } from "../../model/objects/reader.ts"
import { noEntries, parseStatus, type StatusText } from "../../model/status-text.ts"
import type { Log } from "../../support/log.ts"
import type { GatewayStatusWriter } from "../provider/status.ts"

/** A line for each object of the Gateway API whose status is another one than before, with what is not as its author wants it. */
export class LoggedConditions implements GatewayStatusWriter {
  readonly #log: Pick<Log, "info">
  readonly #written = new Map<string, StatusText>()

  constructor(log: Pick<Log, "info">) {
    this.#log = log
  }

  current(named: string): StatusText {
    return this.#written.get(named) ?? ""
  }

  async write(named: string, part: StatusText): Promise<void> {
    const [kind = "", name = ""] = named.split(" ")
    if (part === noEntries(kind)) this.#written.delete(named)
    else this.#written.set(named, part)
    this.#log.info({ object: { kind, name }, ...summaryOf(parseStatus(part).status) }, "Status")
  }

  /** Nobody else writes. */
  changed(): readonly string[] {
    return []
  }
}

function summaryOf(status: object) {
  const { addresses } = recordOf(status)
  const found = conditionsIn(status)
  return {
    ...(Array.isArray(addresses) && { addresses: addresses.map((address) => recordOf(address).value) }),
    conditions: [...new Set(found)],
  }
}

/** `Accepted=True`, `ResolvedRefs=False (BackendNotFound)`, wherever they stand. */
function conditionsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(conditionsIn)
  const { type, status, reason, ...rest } = recordOf(value)
  if (typeof type === "string" && typeof reason === "string")
    return [status === "True" ? `${type}=True` : `${type}=${status} (${reason})`]
  return Object.values(rest).flatMap(conditionsIn)
}
