// Loaded into the controller by `--import`: measures how long its event loop stands still, and writes the longest time since
// the last SIGWINCH, in milliseconds, to the file that WICK_LOOP_DELAY names.
import { renameSync, writeFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"

const file = process.env.WICK_LOOP_DELAY
if (file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on("SIGWINCH", () => {
    // The histogram counts the interval of its own timer, 1 ms, as delay.
    writeFileSync(`${file}.part`, String(Math.max(0, delay.max / 1e6 - 1)))
    renameSync(`${file}.part`, file)
    delay.reset()
  })
}
