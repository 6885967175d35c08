import { Failure } from "../../support/failure.ts"
import { ControlClient } from "../control/client.ts"
import { confInForce } from "../control/in-force-conf.ts"
import type { Sockets } from "../render/site.ts"
import { emergencyIn, forgetEmergencies, hasGivenUp } from "./emergencies.ts"
import type { Layout } from "./files.ts"
import { findNginx, findOldNginx, type NginxProcess, untilTrue } from "./process.ts"
import {
  closeToOthers,
  isReplaced,
  keepSockets,
  removeKeptSockets,
  removeSockets,
  restoreSockets,
} from "./sockets.ts"

// One nginx takes the place of another, for what a reload cannot change: nginx itself, its modules, the filter. It is nginx's own upgrade on the
// fly: the old master starts the new one and hands it the listening sockets, so that no connection is lost in between. Until the new one knows all
// routes it accepts nobody and has control sockets of its own; the old one serves meanwhile. Source: https://nginx.org/en/docs/control.html#upgrade
//
// Sockets that the new nginx inherits and is not configured with are deleted by it, name and all. So those of the old one get a second name.

/**
 * How long an nginx that begins may take, in milliseconds, before it is taken for hung. Reading the configuration includes compiling the filter: on
 * a machine with other load that may take a minute, and who gave up then would begin it again, for ever.
 */
export const patienceMs = 300_000

/**
 * Starts another nginx, with the configuration that lies ready.
 *
 * @returns it
 * @throws Failure `upgrade-lost` when it did not come up; then everything is as before
 */
export async function startNext(
  layout: Layout,
  old: NginxProcess,
  signal: AbortSignal,
): Promise<NginxProcess> {
  if (await findOldNginx(layout)) throw lost("the one before it still finishes its requests")
  await removeSockets(layout.nextSockets)
  await keepSockets(layout.sockets)
  await forgetEmergencies(layout)
  old.signal("SIGUSR2")
  const next = () => nextOf(layout, old)
  const isDecided = async () => {
    const hasEnded = !old.isRunning() || (await hasGivenUp(layout))
    return hasEnded || ((await next()) !== undefined && (await isAnswering(layout.nextSockets)))
  }
  await untilTrue(isDecided, patienceMs, signal)
  const found = await next()
  if (found !== undefined && (await isAnswering(layout.nextSockets))) {
    await restoreSockets(layout.sockets)
    await closeToOthers(layout.nextSockets)
    return found
  }
  const reason = await emergencyIn(layout)
  await giveUp(layout, old)
  throw lost(reason ?? "see nginx's own lines above")
}

function lost(reason: string): Failure {
  const what = "Cannot replace nginx by the one that is installed now, the old one goes on"
  return new Failure("upgrade-lost", `${what}: ${reason}`)
}

/** The new nginx serves: the old one stops accepting connections, its requests may finish. */
export async function endOld(layout: Layout, signal: AbortSignal): Promise<void> {
  const old = await findOldNginx(layout)
  old?.signal("SIGQUIT")
  await untilTrue(() => old === undefined || old.acceptingWorkers().length === 0, patienceMs, signal)
  await removeKeptSockets(layout.sockets)
}

/** What a controller before us has begun: a new nginx that does not serve yet is ended, an old one beside a new one that serves as well. */
export async function settle(layout: Layout, signal: AbortSignal): Promise<void> {
  const old = await findOldNginx(layout)
  if (old === undefined || old.acceptingWorkers().length === 0) return
  const next = await nextOf(layout, old)
  const isServing = async () => (await isReplaced(layout.sockets)) && (await isAnswering(layout.sockets))
  const hasFailed = async () => !next?.isRunning() || (await isAnswering(layout.nextSockets))
  await untilTrue(async () => (await isServing()) || (await hasFailed()), patienceMs, signal)
  if (await isServing()) await endOld(layout, signal)
  else await giveUp(layout, old)
}

/** Ends the new nginx; the old one has its names again. */
async function giveUp(layout: Layout, old: NginxProcess): Promise<void> {
  const next = await nextOf(layout, old)
  next?.signal("SIGTERM")
  const never = new AbortController().signal
  if (next !== undefined && !(await next.ended(5000, never))) next.kill()
  // nginx renames its pid file back when its successor has ended.
  await untilTrue(async () => (await findNginx(layout))?.pid === old.pid || !old.isRunning(), 5000, never)
  await restoreSockets(layout.sockets)
  await removeKeptSockets(layout.sockets)
  await removeSockets(layout.nextSockets)
}

async function nextOf(layout: Layout, old: NginxProcess): Promise<NginxProcess | undefined> {
  const found = await findNginx(layout)
  return found?.pid === old.pid ? undefined : found
}

async function isAnswering(sockets: Sockets): Promise<boolean> {
  const client = new ControlClient(sockets.control)
  const conf = await confInForce(client)
  client.close()
  return conf !== undefined
}
