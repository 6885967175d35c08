// An endpoint in a process of its own: sends as many bytes as a client asks for, and ends.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { connect } from "node:net"
import { nodeBinary } from "../../harness/paths.ts"

const program = `
const piece = Buffer.alloc(1 << 16, "x")
const server = require("node:net").createServer((socket) => {
  socket.on("error", () => {})
  socket.once("data", (text) => {
    let left = Number(text)
    const send = () => {
      while (left > 0 && socket.write(left < piece.length ? piece.subarray(0, left) : piece)) left -= piece.length
      left -= left > 0 ? piece.length : 0
      if (left <= 0) socket.end()
      else socket.once("drain", send)
    }
    send()
  })
})
server.listen(0, "127.0.0.1", () => console.log(server.address().port))
`

export class TcpSource implements Disposable {
  readonly pid: number
  readonly address: string
  readonly #process: ChildProcess

  private constructor(process: ChildProcess, port: number) {
    this.#process = process
    this.pid = process.pid ?? 0
    this.address = `127.0.0.1:${port}`
  }

  static async start(): Promise<TcpSource> {
    const child = spawn(nodeBinary, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] })
    const [port] = await once(child.stdout.setEncoding("utf8"), "data")
    return new TcpSource(child, Number(port))
  }

  [Symbol.dispose](): void {
    this.#process.kill("SIGKILL")
  }
}

/** Has so many bytes sent by the endpoint behind a port. @throws Error when others came */
export async function download(port: number, bytes: number): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1" })
  let received = 0
  socket.on("data", (chunk) => {
    received += chunk.length
  })
  socket.write(String(bytes))
  await once(socket, "close")
  if (received !== bytes) throw new Error(`Of ${bytes} bytes ${received} came`)
}
