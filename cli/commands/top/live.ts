import { Failure } from "../../../controller/support/failure.ts"
import type { Screen } from "../screen.ts"
import type { Style } from "../terminal.ts"
import { type Activity, activityBetween } from "./activity.ts"
import { frame } from "./frame.ts"
import { type Looking, pressed } from "./looking.ts"
import type { Snapshot } from "./snapshot.ts"
import { tableOf } from "./views.ts"

/** The first rates come sooner than the others. */
const firstMs = 500

/** Lines around the rows. */
const aroundRows = 7

/** Shows one look after the other until somebody leaves. What cannot be read is said, and tried again. @throws Failure when not even the first can be read */
export async function live(
  take: () => Promise<Snapshot>,
  screen: Screen,
  first: Looking,
  intervalMs: number,
  paint: (style: Style, text: string) => string,
): Promise<void> {
  let looking = first
  let before = await take()
  let activity: Activity = activityBetween(before, before)
  let trouble: string | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const { promise: left, resolve: leave, reject } = Promise.withResolvers<void>()

  const draw = () => {
    const { columns, rows } = screen.size()
    looking = withinRows(looking, activity, rows - aroundRows)
    screen.draw(frame(activity, looking, { columns, rows, paint, hasKeys: true }, trouble))
  }
  const look = async () => {
    try {
      const after = await take()
      activity = activityBetween(before, after)
      before = after
      trouble = undefined
    } catch (error) {
      if (!(error instanceof Failure)) return reject(error)
      trouble = `${error.message}; asked again`
    }
    if (isOver) return
    timer = setTimeout(look, intervalMs)
    draw()
  }
  screen.onKey((key) => {
    const now = pressed(looking, key, Math.max(screen.size().rows - aroundRows, 1))
    if (now === undefined) return leave()
    looking = now
    draw()
  })
  draw()
  timer = setTimeout(look, Math.min(firstMs, intervalMs))
  try {
    await left
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}

/** The last row stays in sight. */
function withinRows(looking: Looking, activity: Activity, room: number): Looking {
  const { rows } = tableOf(looking.view, activity, looking)
  const last = Math.max(rows.length - Math.max(room, 1), 0)
  return looking.first > last ? { ...looking, first: last } : looking
}
