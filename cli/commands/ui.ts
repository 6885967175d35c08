import { once } from "node:events"
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import { dirsOf, layoutOf } from "../../controller/output/nginx/files.ts"
import { Failure, reasonOf, systemCode } from "../../controller/support/failure.ts"
import { namesLoopback } from "../../controller/support/loopback.ts"
import { type Command, usage } from "./command.ts"
import { writeJson, writeLines } from "./terminal.ts"

export const ui: Command = {
  name: "ui",
  description: [
    "Serves the page of the running controller on 127.0.0.1: routes, backends, certificates, Problems, reloads, and why a request",
    "goes where it goes. The page changes nothing, and only this machine can ask for it. --json prints the address as JSON.",
  ],
  flags: [{ name: "port", valueName: "PORT", meaning: "of 127.0.0.1; when absent a free one" }],
  async run({ runtimeDir, json, flags }, terminal) {
    const port = portOf(flags.port?.at(-1))
    const { dir, socketPath } = await findController(runtimeDir)
    const server = createServer((asked, answer) => forward(asked, answer, socketPath))
    const url = `http://127.0.0.1:${await listen(server, port)}/`
    if (json) writeJson(terminal, { url })
    else writeLines(terminal, [`${url} shows what the controller of ${dir} has in force, until Ctrl-C`])
    await once(server, "close")
  },
}

/** @returns 0 for a free one @throws Failure `usage` */
function portOf(given: string | true | undefined): number {
  const port = Number(given ?? 0)
  if (given === undefined || (/^\d+$/.test(String(given)) && port >= 1 && port <= 65_535)) return port
  throw usage(ui, `Cannot listen on port "${given}": write a whole number from 1 to 65535`)
}

/** @throws Failure `not-running` */
async function findController(
  wanted: string,
): Promise<{ readonly dir: string; readonly socketPath: string }> {
  const dirs = dirsOf(wanted)
  const reasons: string[] = []
  for (const dir of dirs) {
    const { uiSocket: socketPath } = layoutOf(dir)
    const reason = await whyNot(socketPath)
    if (reason === undefined) return { dir, socketPath }
    reasons.push(`"${dir}" (${reason})`)
  }
  const advice = "name the directory of a running one with --runtime-dir"
  throw new Failure("not-running", `Cannot find a controller in ${reasons.join(" or ")}: ${advice}`)
}

/** @returns undefined when a controller answers */
function whyNot(socketPath: string): Promise<string | undefined> {
  const { promise, resolve: told } = Promise.withResolvers<string | undefined>()
  const sent = request({ socketPath, path: "/api/reloads?limit=1", agent: false }, (response) => {
    response.resume()
    told(undefined)
  })
  sent.once("error", (error) => {
    const code = systemCode(error)
    const isGone = code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR"
    told(isGone ? "none runs there" : code === "EACCES" ? "belongs to another user" : reasonOf(error))
  })
  sent.end()
  return promise
}

/** @returns the port. @throws Failure `cannot-listen` */
async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1")
  try {
    await once(server, "listening")
  } catch (cause) {
    const reason = systemCode(cause) === "EADDRINUSE" ? "it is in use, choose another" : reasonOf(cause)
    throw new Failure("cannot-listen", `Cannot listen on port ${port} of 127.0.0.1: ${reason}`, { cause })
  }
  const address = server.address()
  return typeof address === "object" && address ? address.port : port
}

/** Each client that reaches this may ask whatever the controller answers; pages from elsewhere may not, through a browser that does. */
function forward(asked: IncomingMessage, answer: ServerResponse, socketPath: string): void {
  if (!namesLoopback(asked.headers.host)) {
    refuse(answer, 421, "This page is served to localhost and 127.0.0.1 only")
    return
  }
  const known = asked.headers["if-none-match"]
  const sent = request(
    {
      socketPath,
      agent: false,
      method: asked.method ?? "GET",
      path: asked.url ?? "/",
      headers: { host: "localhost", ...(known !== undefined && { "if-none-match": known }) },
    },
    (response) => {
      const { connection: _, "keep-alive": __, ...headers } = response.headers
      answer.writeHead(response.statusCode ?? 502, headers)
      response.pipe(answer)
    },
  )
  sent.once("error", () => refuse(answer, 502, "The controller does not answer: it may have been stopped"))
  answer.once("close", () => sent.destroy())
  sent.end()
}

function refuse(answer: ServerResponse, status: number, error: string): void {
  if (answer.headersSent) answer.destroy()
  else answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }))
}
