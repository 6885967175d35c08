import type { Options } from "../../core/options/flags.ts"
import type { Provider } from "../../input/provider/provider.ts"
import type { ObjectStatus } from "../../model/object-status.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { Log } from "../../support/log.ts"
import { gatewayStatus } from "./gateway-status.ts"
import { ingressStatus } from "./ingress-status.ts"
import { Publisher } from "./publisher.ts"
import { withdraw } from "./withdraw.ts"

// What this process does about the status of objects, from its start to its end. It knows whom to tell (`provider/`) and not how that is done.

export interface StatusOptions {
  readonly options: Options
  /** the Pod that this controller is; "" when it is none */
  readonly pod: { readonly namespace: string; readonly name: string }
  readonly provider: Pick<Provider, "statuses" | "leadership">
  readonly snapshot: () => Snapshot
  /** told of a bug */
  readonly failed: (error: unknown) => void
  readonly log: Pick<Log, "info" | "warn">
}

export interface Status {
  /** Objects may be others now; everything that exists has been read. */
  changed(): void
  /** What a pass says of the objects of the Gateway API is in force. */
  told(statuses: readonly ObjectStatus[]): void
  /** Resolves when nothing is written any more. */
  stop(): Promise<void>
  /** After `stop`, when the process ends as it should. */
  withdraw(stopNow: AbortSignal): Promise<void>
}

/** Keeps the statuses as the flags say, which may be none at all. */
export function keepStatus(given: StatusOptions): Status {
  const ingresses = keepIngressStatus(given)
  const gatewayApi = keepGatewayStatus(given)
  return {
    changed: ingresses.changed,
    told: gatewayApi.told,
    stop: async () => void (await Promise.all([ingresses.stop(), gatewayApi.stop()])),
    withdraw: ingresses.withdraw,
  }
}

function isWritten({ updateStatus, disableLeaderElection }: Options): boolean {
  return updateStatus && !disableLeaderElection
}

function keepIngressStatus(given: StatusOptions): Omit<Status, "told"> {
  const { options, pod, provider, snapshot, failed, log } = given
  if (!isWritten(options) || !hasAddresses(options, pod.name))
    return { changed() {}, async stop() {}, async withdraw() {} }
  const addresses = { ...options, pod }
  const { statuses, leadership } = provider
  const intervalSeconds = options.statusUpdateInterval
  const kept = ingressStatus(snapshot, addresses, statuses.Ingress)
  const publisher = new Publisher({ kept, leadership, intervalSeconds, failed, log })
  // Nobody reads what was written for a directory of manifests.
  const isWithdrawn = options.updateStatusOnShutdown && options.manifests === ""
  return {
    changed: () => publisher.changed(),
    stop: () => publisher.stop(),
    withdraw: async (stopNow) => {
      if (isWithdrawn)
        await withdraw({ snapshot: snapshot(), addresses, writer: statuses.Ingress, log }, stopNow)
    },
  }
}

/** Stays when the last replica stops: it says of which generation it is, and who waits for it waits for the next replica. */
function keepGatewayStatus({ options, provider, failed, log }: StatusOptions): Pick<Status, "told" | "stop"> {
  if (!isWritten(options) || !options.gatewayApi) return { told() {}, async stop() {} }
  let last: readonly ObjectStatus[] | undefined
  const { statuses, leadership } = provider
  const intervalSeconds = options.statusUpdateInterval
  const kept = gatewayStatus(() => last, statuses.gatewayApi)
  const publisher = new Publisher({ kept, leadership, intervalSeconds, failed, log })
  return {
    told: (statuses) => {
      last = statuses
      publisher.changed()
    },
    stop: () => publisher.stop(),
  }
}

/** Without flags, addresses are those of the Nodes of Pods like this one. */
function hasAddresses({ publishStatusAddress, publishService }: Options, podName: string): boolean {
  return publishStatusAddress.length > 0 || publishService !== undefined || podName !== ""
}
