import { aborted } from "../support/abort.ts"
import { common } from "./common.ts"
import { facts } from "./facts.ts"
import { garbage } from "./garbage.ts"
import { leave } from "./leave.ts"
import { objects, openProvider } from "./objects.ts"
import { observe, observeCertificates } from "./observe.ts"
import { page } from "./page.ts"
import { Parts } from "./parts.ts"
import { passes } from "./passes.ts"
import { plane, workplace } from "./plane.ts"
import { profiles } from "./profiles.ts"
import { exposure, feed, status, sync } from "./sync.ts"
import { traces } from "./traces.ts"
import { webhook } from "./webhook.ts"
import type { World } from "./world.ts"

// The process is a list of parts, in the order in which changes pass through them. They are stopped the other way round.

/**
 * Runs the controller until `stop` aborts and nginx has ended.
 *
 * @throws Failure when it cannot start. Whatever it throws, an nginx that serves is left alone: the next controller takes it over
 */
export async function run(world: World): Promise<void> {
  await using stops = new AsyncDisposableStack()
  const serving = await Parts.with(world, stops)
    .and(common)
    .and(workplace)
    .and(passes)
    .and(plane)
    .and(traces)
    .and(observe)
    .and(profiles)
    .started()
  const provider = await openProvider(serving, stops)
  if (provider === undefined) return serving.plane.stop(world.stopNow)
  const running = await Parts.with({ ...serving, provider }, stops)
    .and(observeCertificates)
    .and(objects)
    .and(facts)
    .and(status)
    .and(exposure)
    .and(sync)
    .and(garbage)
    .and(feed)
    .and(webhook)
    .and(page)
    .started()
  running.begin()
  await Promise.race([aborted(world.stop), running.broken])
  await leave(running)
}
