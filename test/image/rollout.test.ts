// One image takes the place of another under load: what runs in the Pods is the built root file system.
import { afterAll, beforeAll, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { imagesOf } from "../cluster/support/release.ts"
import { expectSeamlessUpdates } from "../cluster/support/updates.ts"
import { Node, nodeFlags } from "../kubelet/node.ts"

let server: ApiServer
let node: Node

beforeAll(async () => {
  server = await startApiServer(...nodeFlags)
  node = await Node.start(server, { images: imagesOf("built") })
})
afterAll(async () => {
  await node[Symbol.asyncDispose]()
  await server.stop()
})

test("an upgrade and a rollback of two replicas lose no request", () => expectSeamlessUpdates(server, node))
