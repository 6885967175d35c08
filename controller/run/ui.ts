import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import type { Versions } from "../../ui/api.ts"
import { type Gate, loopbackGate, openGate } from "../../ui/gate.ts"
import { Sampler } from "../../ui/sampler.ts"
import { createUiServer, endUiServer, listenAt } from "../../ui/server.ts"
import type { Sources } from "../../ui/sources.ts"
import { readToken } from "../../ui/token.ts"
import { tokenGate } from "../../ui/token-gate.ts"
import { Traffic } from "../../ui/traffic.ts"
import type { Options } from "../core/options/flags.ts"
import type { Leadership } from "../input/provider/leadership.ts"
import type { FilterCounters } from "../model/filter-counters.ts"
import type { PolicyCounters } from "../model/policy-counters.ts"
import type { NamespaceUse, ZoneFill } from "../model/zone-fill.ts"
import type { RequestCount } from "../output/control/request-counts.ts"
import type { Delivery } from "../output/nginx/delivery.ts"
import type { Driver } from "../output/nginx/driver.ts"
import { listenOn } from "../output/nginx/sockets.ts"
import type { LastPass } from "../report/history/last-pass.ts"
import type { ReloadHistory } from "../report/history/reload-history.ts"
import type { Health } from "../report/observe/health.ts"
import { readStatus } from "../report/observe/nginx-status.ts"
import type { Place } from "./nginx.ts"
import { unknownBuild, type World } from "./world.ts"

/** What the page shows, of the parts that know it. */
interface UiWorld extends Pick<World, "options" | "identity" | "build" | "log"> {
  readonly place: Place
  readonly nginx: UiNginx
  readonly lastPass: LastPass
  readonly reloads: ReloadHistory
  readonly health: Health
  readonly leadership: Leadership
  readonly signal: AbortSignal
}

interface UiNginx {
  readonly driver: Pick<Driver, "isOutdated">
  readonly delivery: Pick<Delivery, "running" | "hash">
  readonly version: string
  readonly zoneFill: () => Promise<readonly ZoneFill[]>
  readonly namespaceUse: () => readonly NamespaceUse[]
  readonly filterCounters: () => Promise<FilterCounters | undefined>
  readonly policyCounters: () => Promise<readonly PolicyCounters[]>
  readonly endpoints: Sources["endpoints"]
  readonly requestCounts: () => AsyncIterable<readonly RequestCount[]>
}

/**
 * Serves what the controller knows on the socket of the runtime directory, and where `--ui-port` says.
 *
 * @throws Failure when it cannot
 */
export async function openUi(world: UiWorld, stack: AsyncDisposableStack): Promise<void> {
  const { options, place, log } = world
  const sources = await sourcesOf(world)
  const own = createUiServer({ sources, gate: openGate, log })
  await listenOn(own, place.layout.uiSocket)
  stack.defer(() => endUiServer(own))
  const { uiAddress: address, uiPort: port } = options
  if (port === 0) return
  const server = createUiServer({ sources, gate: await gateOf(options), log })
  await listenAt(server, address, port)
  stack.defer(() => endUiServer(server))
  log.info({ address, port }, "The page is served")
}

/** A token is asked for wherever one is given. */
async function gateOf({ uiTokenFile: file }: Options): Promise<Gate> {
  if (file === "") return loopbackGate
  await readToken(file)
  return tokenGate(file)
}

async function sourcesOf(world: UiWorld): Promise<Sources> {
  const { options, identity, place, nginx, lastPass, reloads, health, leadership, signal } = world
  const sampler = new Sampler(() => readStatus(`http://127.0.0.1:${options.statusPort}/nginx_status`))
  sampler.start(signal)
  const startedMs = Date.now()
  const hasReplicas = options.manifests === ""
  const versions = await versionsOf(world)
  return {
    layout: place.layout,
    model: () => nginx.delivery.running,
    lastPass,
    reloads,
    sampler,
    instance: () => ({ ...identity, startedMs, ...(hasReplicas && { isLeader: leadership.isLeader }) }),
    trouble: () => {
      const verdict = health.verdict()
      return verdict.kind === "healthy" ? undefined : verdict.reason
    },
    versions: () => {
      const { hash: conf } = nginx.delivery
      return { ...versions, ...(conf !== undefined && { conf }), isOutdated: nginx.driver.isOutdated }
    },
    zones: nginx.zoneFill,
    namespaceUse: nginx.namespaceUse,
    filter: nginx.filterCounters,
    policyCounters: nginx.policyCounters,
    endpoints: nginx.endpoints,
    traffic: new Traffic(nginx.requestCounts),
  }
}

async function versionsOf({ build, nginx, place }: UiWorld): Promise<Omit<Versions, "conf" | "isOutdated">> {
  const filter = createHash("sha256").update(await readFile(place.installation.balancer))
  return {
    wick: build.release,
    ...(build.build !== unknownBuild && { commit: build.build }),
    node: process.version,
    nginx: nginx.version,
    filter: filter.digest("hex"),
  }
}
