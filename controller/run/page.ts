import type { Versions } from "../../ui/api.ts"
import { openGate } from "../../ui/gate.ts"
import { Sampler } from "../../ui/sampler.ts"
import { createUiServer, listenAt } from "../../ui/server.ts"
import type { Sources } from "../../ui/sources.ts"
import { Traffic } from "../../ui/traffic.ts"
import type { Provider } from "../input/provider/provider.ts"
import { InForce } from "../inspect/in-force.ts"
import type { Workplace } from "../output/nginx/workplace.ts"
import type { DataPlane } from "../output/plane/plane.ts"
import type { Health } from "../report/observe/health.ts"
import { closeNow } from "../support/close-now.ts"
import type { Common } from "./common.ts"
import { gateOf } from "./gate.ts"
import { unknownBuild, type World } from "./world.ts"

/** What the page shows, of the parts that know it. */
interface Before extends World, Common {
  readonly workplace: Workplace
  readonly plane: DataPlane
  readonly health: Health
  readonly provider: Pick<Provider, "leadership">
}

/**
 * Serves what the controller knows on the socket of the runtime directory, and where `--ui-port` says.
 *
 * @throws Failure when it cannot
 */
export async function page(before: Before, stops: AsyncDisposableStack): Promise<object> {
  const { options, workplace, log } = before
  const sources = sourcesOf(before)
  const own = createUiServer({ sources, gate: openGate, log })
  await workplace.listen(own)
  stops.defer(() => closeNow(own))
  const { uiAddress: address, uiPort: port, uiTokenFile } = options
  if (port === 0) return {}
  const server = createUiServer({ sources, gate: await gateOf(uiTokenFile), log })
  await listenAt(server, address, port)
  stops.defer(() => closeNow(server))
  log.info({ address, port }, "The page is served")
  return {}
}

function sourcesOf(before: Before): Sources {
  const { options, identity, workplace, plane, lastPass, reloads, health, provider, signal } = before
  const { read } = plane
  const sampler = new Sampler(() => read.connections())
  sampler.start(signal)
  const startedMs = Date.now()
  const hasReplicas = options.manifests === ""
  const versions = versionsOf(before)
  return {
    plane,
    lastPass,
    reloads,
    sampler,
    instance: () => ({
      ...identity,
      startedMs,
      ...(hasReplicas && { isLeader: provider.leadership.isLeader }),
    }),
    trouble: () => {
      const verdict = health.verdict()
      return verdict.kind === "healthy" ? undefined : verdict.reason
    },
    versions: () => {
      const { hash: conf } = plane
      return { ...versions, ...(conf !== undefined && { conf }), isOutdated: plane.isOutdated }
    },
    inForce: () => InForce.find(workplace.dir),
    traffic: new Traffic(() => read.requestCounts()),
  }
}

function versionsOf({ build, plane }: Before): Omit<Versions, "conf" | "isOutdated"> {
  const { nginx, filter } = plane.read.versions
  return {
    wick: build.release,
    ...(build.build !== unknownBuild && { commit: build.build }),
    node: process.version,
    nginx,
    filter,
  }
}
