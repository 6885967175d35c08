// `$wasm_filled`, by which the status port answers `/is-dynamic-lb-initialized`.
import { expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { startPlane } from "../../../harness/plane.ts"

test("says whether anything was posted yet", async () => {
  await using plane = await startPlane({ inServer: "location = /filled { return 200 $wasm_filled; }" })
  const filled = async () => (await ask({ port: plane.nginx.port }, { path: "/filled" })).body
  expect(await filled()).toBe("0")
  await plane.apply({ backends: { set: [{ name: "a", endpoints: [{ address: "127.0.0.1", port: 1 }] }] } })
  expect(await filled()).toBe("1")
})
