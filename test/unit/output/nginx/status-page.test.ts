import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test, vi } from "vitest"
import { parseStatus, readStatus } from "../../../../controller/output/nginx/status-page.ts"
import { keptMs } from "../../../../harness/http.ts"

const page =
  "Active connections: 3 \nserver accepts handled requests\n 10 9 42 \nReading: 1 Writing: 2 Waiting: 0 \n"
const numbers = { active: 3, accepted: 10, handled: 9, requests: 42, reading: 1, writing: 2, waiting: 0 }

test("nginx's status page is read, and no other one", () => {
  expect(parseStatus(page)).toEqual(numbers)
  expect(parseStatus("<html>")).toBeUndefined()
})

test("says nothing while nginx does not answer", async () => {
  const server = createServer({ keepAliveTimeout: keptMs }, (_, response) => response.end(page)).listen(
    0,
    "127.0.0.1",
  )
  await new Promise((resolve) => server.once("listening", resolve))
  // However long this process has to wait for its turn.
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(new AbortController().signal)
  onTestFinished(() => timeout.mockRestore())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/nginx_status`
  expect(await readStatus(url)).toEqual(numbers)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect(await readStatus(url)).toBeUndefined()
})
