import { liveChange } from "../../../../controller/core/plan/change.ts"
import type { Live } from "../../../../controller/model/model.ts"
import { ControlClient } from "../../../../controller/output/control/client.ts"
import { Control, type Outcome } from "../../../../controller/output/control/control.ts"
import { FakeControl } from "./fake-control.ts"
import { backend, host, live, nothing } from "./live.ts"

/** A `Control`, and the fake nginx that it posts to. */
export interface StartedControl {
  readonly fake: FakeControl
  readonly control: Control
  /** its time, which stands still */
  readonly clock: { nowMs: number }
  /** what each post came to */
  readonly outcomes: readonly string[]
  /** Brings nginx from what runs to what is wanted. */
  readonly to: (wanted: Live, running?: Live) => Promise<Outcome>
  readonly stop: () => Promise<void>
}

export async function startControl(): Promise<StartedControl> {
  const fake = await new FakeControl().listen()
  const client = new ControlClient(fake.socketPath)
  const clock = { nowMs: 0 }
  const outcomes: string[] = []
  const events = { posted: (outcome: string) => void outcomes.push(outcome) }
  const control = new Control({ client, events, now: () => clock.nowMs })
  const to = (wanted: Live, running: Live = nothing) =>
    control.apply(running, wanted, liveChange(running, wanted))
  const stop = async () => {
    client.close()
    await fake[Symbol.asyncDispose]()
  }
  return { fake, control, clock, outcomes, to, stop }
}

/** Two hosts, with a backend each. */
export const shop = live([backend("a", 1), backend("b", 2)], [host("a.test", "a"), host("b.test", "b")])
