import { PathOwners } from "../admission/path-owners.ts"
import { referencesIn } from "../core/annotations/references.ts"
import { looksLikeSettings } from "../core/options/looks-like-settings.ts"
import { referencesInSettings } from "../core/options/references.ts"
import { referencesInStreams } from "../core/streams/references.ts"
import { type TranslateOptions, translateOptions } from "../core/translate/translate.ts"
import type { Provider } from "../input/provider/provider.ts"
import { Store } from "../input/store/store.ts"
import { portsConfigMapOf } from "../model/gateway-ports.ts"
import { ownAddresses } from "../output/nginx/machine.ts"
import type { Workplace } from "../output/nginx/workplace.ts"
import type { Common } from "./common.ts"
import type { World } from "./world.ts"

/** A directory or an API server, as the flags say. @returns undefined when an end was asked for meanwhile */
export async function openProvider(
  world: World & Pick<Common, "metrics">,
  stops: AsyncDisposableStack,
): Promise<Provider | undefined> {
  const { stop } = world
  try {
    const provider = await providerOf(world)
    stops.defer(() => provider.close())
    return provider
  } catch (error) {
    if (stop.aborted) return undefined
    throw error
  }
}

async function providerOf(world: World & Pick<Common, "metrics">): Promise<Provider> {
  const { options, log, stop, build, metrics } = world
  // half of what the controller loads is of no use to the other one
  if (options.manifests !== "") {
    const { manifestProvider } = await import("../input/manifests/manifest-provider.ts")
    return manifestProvider(options.manifests, log)
  }
  const { openCluster } = await import("../input/cluster/cluster.ts")
  return openCluster({ ...world, release: build.release, metrics: metrics.cluster }, stop)
}

export interface Objects {
  readonly store: Store
  /** who has which path; filled with an admission webhook only */
  readonly owners: PathOwners
  readonly translateOptions: TranslateOptions
  /** this Pod; names are "" where there is none */
  readonly pod: { readonly namespace: string; readonly name: string }
}

/** What is kept of what the provider tells. */
export function objects({
  options,
  identity,
  provider,
  workplace,
}: World & { readonly provider: Provider; readonly workplace: Pick<Workplace, "modsecurity"> }): Objects {
  const pod = { namespace: identity.namespace, name: identity.pod }
  const owners = new PathOwners(options.annotationsPrefix)
  const isManifests = options.manifests !== ""
  const store = new Store({
    ...options,
    ...(options.validatingWebhook && {
      oursChanged: (before, after) => owners.replace(before, after),
    }),
    pod,
    gatewayPorts: portsConfigMapOf(options, pod.namespace),
    readsClasses: provider.readsClasses,
    reportsUnassigned: isManifests,
    referencesOf: (ingress) => referencesIn(ingress, options.annotationsPrefix),
    referencesOfSettings: referencesInSettings,
    referencesOfStreams: referencesInStreams,
    ...(isManifests && { looksLikeSettings }),
  })
  return {
    ...{ store, owners, pod },
    translateOptions: translateOptions(
      options,
      ownAddresses(),
      identity.namespace,
      workplace.modsecurity.files,
    ),
  }
}
