// What is counted of sessions whose worker is killed.
import { expect, test } from "vitest"
import { isRunning, signal } from "../../../harness/processes.ts"
import { clientPortsOf, EchoProcess, Sessions } from "../../../harness/sessions.ts"
import { type Streams, startStreams } from "../../../harness/streams.ts"
import { until } from "../../../harness/until.ts"

async function openSessions(streams: Streams): Promise<number> {
  const { sessions, ended } = await streams.counted(`tcp:${streams.tcp}`)
  return sessions - ended
}

/** Those of the first worker, and how many they are. */
function ofOneWorker({ nginx, tcp }: Streams): { readonly pid: number; readonly count: number } {
  const [pid = 0] = nginx.workers()
  return { pid, count: clientPortsOf(pid, tcp).size }
}

test("sessions of a worker that is killed have ended, those of others are open, and all is counted once", async () => {
  await using streams = await startStreams({ workers: 2 })
  using echo = await EchoProcess.start()
  using sessions = new Sessions()
  await streams.serve("tcp", [`127.0.0.1:${echo.port}`])
  await until("sessions in the first worker", async () => {
    await sessions.open(streams.tcp, 10)
    return ofOneWorker(streams).count > 0
  })
  const { pid, count } = ofOneWorker(streams)
  const before = sessions.alive.length
  expect(await openSessions(streams)).toBe(before)

  signal(pid, "SIGKILL")
  await until("the worker to be gone", () => !isRunning(pid))
  expect(await sessions.lost()).toBe(count)
  await until("them to be counted", async () => (await openSessions(streams)) === before - count)

  await until("two workers again", () => streams.nginx.workers().length === 2)
  await sessions.open(streams.tcp, 10)
  expect(await openSessions(streams)).toBe(before - count + 10)
})
