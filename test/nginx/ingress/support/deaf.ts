// A port whose owner is stopped and whose queue is full: a connection to it is neither accepted nor refused.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { nodeBinary } from "../../../../harness/paths.ts"

const script = `
  const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    process.stdout.write(String(server.address().port), () => process.kill(process.pid, "SIGSTOP"))
  })`

export interface Deaf extends Disposable {
  readonly port: number
}

export async function deaf(): Promise<Deaf> {
  const child = spawn(nodeBinary, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] })
  const [port] = await once(child.stdout, "data")
  const sockets: Socket[] = Array.from({ length: 16 }, () =>
    connect(Number(port), "127.0.0.1").on("error", () => {}),
  )
  await Promise.race(sockets.map((socket) => once(socket, "connect")))
  return {
    port: Number(port),
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
      child.kill("SIGKILL")
    },
  }
}
