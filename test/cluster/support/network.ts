import { existsSync } from "node:fs"
import { createServer } from "node:net"
import { apiServerBinary } from "../../../harness/cluster/api-server.ts"

/** Before all tests of this folder: what they cannot do without. */
export async function setup(): Promise<void> {
  if (!existsSync(apiServerBinary)) throw new Error("There is no API server: run `build/apiserver.sh`")
  if (!(await isOurs("10.244.0.1"))) {
    throw new Error(
      "These tests need a network of their own: run `npm run test:cluster`, or test/cluster/run.sh with names of test files",
    )
  }
}

/** True when a server of this machine can have the address. */
function isOurs(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(0, address, () => server.close(() => resolve(true)))
  })
}
