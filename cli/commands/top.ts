import { setTimeout } from "node:timers/promises"
import type { InForce } from "../../controller/inspect/in-force.ts"
import { type Asked, type Command, usage, withRunning } from "./command.ts"
import type { Screen } from "./screen.ts"
import { paint, type Terminal, writeJson, writeLines } from "./terminal.ts"
import { type Activity, activityBetween } from "./top/activity.ts"
import { frame } from "./top/frame.ts"
import { live } from "./top/live.ts"
import { firstLook } from "./top/looking.ts"
import { takeSnapshot } from "./top/snapshot.ts"
import { type ViewName, viewNames } from "./top/views.ts"

const defaultSeconds = 2

export const top: Command = {
  name: "top",
  words: viewNames,
  description: [
    `Shows what happens now: requests and errors of ${viewNames.slice(0, 2).join(" and ")}, attempts, failures and times of ${viewNames.slice(2, 4).join(" and ")},`,
    "sessions of ports of TCP and UDP services,",
    "with Problems, reloads and how full shared memory is. VIEW is what is looked at first. On a terminal it goes on until q is pressed.",
    "Requests are counted with --enable-metrics, endpoints with --metrics-per-endpoint.",
    "With --json: one look, as JSON; shapes may change from release to release.",
  ],
  flags: [
    { name: "once", meaning: "print one frame and exit, as where output is no terminal" },
    {
      name: "interval",
      valueName: "SECONDS",
      meaning: `between two looks, 0.2 to 3600; default ${defaultSeconds}`,
    },
  ],
  run: (asked, terminal, { screen }) =>
    withRunning(asked, async (inForce) => {
      const view = viewOf(asked)
      const intervalMs = intervalOf(asked) * 1000
      const open = asked.json || asked.flags.once !== undefined ? undefined : screen
      if (open !== undefined) return watch(inForce, open(), view, intervalMs, terminal)
      const activity = await lookOnce(inForce, intervalMs)
      if (asked.json) writeJson(terminal, activity)
      else writeLines(terminal, wholeFrame(activity, view, terminal))
    }),
}

/** @throws Failure `usage` */
function viewOf({ operands: [wanted] }: Asked): ViewName {
  if (wanted === undefined) return firstLook.view
  const known = viewNames.find((name) => name === wanted)
  if (known === undefined) throw usage(top, `Cannot show "${wanted}": it is one of ${viewNames.join(", ")}`)
  return known
}

/** @throws Failure `usage` */
function intervalOf({ flags: { interval } }: Asked): number {
  const seconds = Number(interval?.at(-1) ?? defaultSeconds)
  if (seconds >= 0.2 && seconds <= 3600) return seconds
  throw usage(top, `Cannot look every "${interval?.at(-1)}" seconds: write a number from 0.2 to 3600`)
}

async function lookOnce(inForce: InForce, intervalMs: number): Promise<Activity> {
  const before = await takeSnapshot(inForce)
  await setTimeout(intervalMs)
  return activityBetween(before, await takeSnapshot(inForce))
}

/** All rows, as wide as they are. */
function wholeFrame(activity: Activity, view: ViewName, terminal: Terminal): string[] {
  const all = Number.POSITIVE_INFINITY
  const painted = (style: Parameters<typeof paint>[1], text: string) => paint(terminal, style, text)
  const options = { columns: all, rows: all, paint: painted, hasKeys: false }
  return frame(activity, { ...firstLook, view }, options)
}

async function watch(
  inForce: InForce,
  screen: Screen,
  view: ViewName,
  intervalMs: number,
  terminal: Terminal,
): Promise<void> {
  try {
    const painted = (style: Parameters<typeof paint>[1], text: string) => paint(terminal, style, text)
    await live(() => takeSnapshot(inForce), screen, { ...firstLook, view }, intervalMs, painted)
  } finally {
    screen.close()
  }
}
