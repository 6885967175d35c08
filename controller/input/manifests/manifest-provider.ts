import type { Log } from "../../support/log.ts"
import type { ObjectEvent } from "../provider/event.ts"
import { alone } from "../provider/leadership.ts"
import { noOwnedObjects } from "../provider/owned-objects.ts"
import type { Provider } from "../provider/provider.ts"
import type { StatusAddress, StatusWriter } from "../provider/status.ts"
import { LoggedConditions } from "./logged-conditions.ts"
import { manifestSource } from "./manifests.ts"

/** A directory of manifests. Nobody reads back what is written to it, so that goes to the log. */
export function manifestProvider(directory: string, log: Pick<Log, "info" | "warn">): Provider {
  return {
    source: manifestSource(directory),
    statuses: { Ingress: new LoggedStatuses(log), gatewayApi: new LoggedConditions(log) },
    owned: noOwnedObjects,
    events: { write: (event) => logEvent(log, event) },
    leadership: alone,
    pod: undefined,
    readsClasses: true,
    close: async () => {},
  }
}

function logEvent(log: Pick<Log, "warn" | "info">, { object, type, reason, message }: ObjectEvent): void {
  const { kind, namespace, name } = object
  const fields = { object: { kind, namespace, name }, reason, detail: message }
  if (type === "Warning") log.warn(fields, "Event")
  else log.info(fields, "Event")
}

/** A line for each Ingress whose addresses are others than before. */
class LoggedStatuses implements StatusWriter<readonly StatusAddress[]> {
  readonly #log: Pick<Log, "info">
  readonly #written = new Map<string, readonly StatusAddress[]>()

  constructor(log: Pick<Log, "info">) {
    this.#log = log
  }

  current(ingress: string): readonly StatusAddress[] {
    return this.#written.get(ingress) ?? []
  }

  async write(ingress: string, addresses: readonly StatusAddress[]): Promise<void> {
    const [namespace = "", name = ""] = ingress.split("/")
    const texts = addresses.map(({ ip, hostname }) => (ip === "" ? hostname : ip))
    this.#log.info({ object: { kind: "Ingress", namespace, name }, addresses: texts }, "Status")
    if (addresses.length > 0) this.#written.set(ingress, addresses)
    else this.#written.delete(ingress)
  }
}
