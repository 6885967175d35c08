import type { Options } from "../core/options/flags.ts"
import { manifestProvider } from "../input/manifests/manifest-provider.ts"
import type { Provider } from "../input/provider/provider.ts"
import { qualifiedName } from "../model/objects/object.ts"
import { Recorder } from "../report/events/recorder.ts"
import type { Metrics } from "./metrics.ts"
import type { World } from "./world.ts"

/** A directory or an API server, as the flags say. @returns undefined when an end was asked for meanwhile */
export async function openProvider(
  world: World,
  { cluster: metrics }: Metrics,
): Promise<Provider | undefined> {
  const { options, log, stop, build } = world
  if (options.manifests !== "") return manifestProvider(options.manifests, log)
  // half of what the controller loads is of no use to manifests
  const { openCluster } = await import("../input/cluster/cluster.ts")
  try {
    return await openCluster({ ...world, release: build.release, metrics }, stop)
  } catch (error) {
    if (stop.aborted) return undefined
    throw error
  }
}

/** Who tells users by Events. */
export function recorderOf(options: Options, { events, leadership, pod }: Provider): Recorder {
  const { configmap, tcpServicesConfigmap, udpServicesConfigmap } = options
  return new Recorder({
    sink: events,
    leadership,
    pod,
    configMaps: [configmap, tcpServicesConfigmap, udpServicesConfigmap].flatMap((named) =>
      named ? [qualifiedName(named)] : [],
    ),
    isQuiet: options.disableSyncEvents,
    isLog: options.manifests !== "",
  })
}
