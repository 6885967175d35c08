// The backend of the tests: it answers with an empty 200, and below /reflect with what the request's JSON says.
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { keptMs } from "../../../harness/http.ts"

interface Reflected {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly encodedBody?: string
}

export class Reflector implements AsyncDisposable {
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<Reflector> {
    const server = createServer({ keepAliveTimeout: keptMs }, async (request, response) => {
      const body = await buffer(request)
      const { status, headers, bytes } = answerTo(request.url ?? "/", body)
      // Bodies of responses are read only if they are called texts.
      response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(bytes)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return new Reflector(server)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

function answerTo(path: string, asked: Buffer) {
  const {
    status = 200,
    headers = {},
    body = "",
    encodedBody,
  } = path.startsWith("/reflect") ? reflected(asked) : {}
  return { status, headers, bytes: encodedBody === undefined ? body : Buffer.from(encodedBody, "base64") }
}

function reflected(asked: Buffer): Reflected {
  try {
    return JSON.parse(asked.toString()) as Reflected
  } catch {
    return { status: 400 }
  }
}
