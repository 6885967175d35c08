import { Recorder } from "../events/recorder.ts"
import { manifestProvider } from "../manifests/provider.ts"
import { qualifiedName } from "../objects/object.ts"
import type { Metrics } from "../observe/metrics.ts"
import type { Options } from "../options/flags.ts"
import type { Provider } from "../provider/provider.ts"
import type { World } from "./world.ts"

/** A directory or an API server, as the flags say. @returns undefined when an end was asked for meanwhile */
export async function openProvider(world: World, metrics: Metrics): Promise<Provider | undefined> {
  const { options, log, stop, build } = world
  if (options.manifests !== "") return manifestProvider(options.manifests, log)
  // half of what the controller loads is of no use to manifests
  const { openCluster } = await import("../cluster/cluster.ts")
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
