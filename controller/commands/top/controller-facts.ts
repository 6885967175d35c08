import { request } from "node:http"

/** What the controller says of itself: a part of what `GET /api/overview` answers on its socket. */
export interface ControllerFacts {
  readonly trouble?: string
  readonly versions: { readonly wick: string; readonly nginx: string }
  /** how many stand, by severity */
  readonly problems: { readonly error: number; readonly warning: number; readonly info: number }
  readonly counts: { readonly hosts: number; readonly backends: number; readonly endpoints: number }
  readonly nowMs: number
  /** since the controller was started */
  readonly reloads: number
  readonly lastReload?: {
    readonly atMs: number
    readonly kind: "start" | "reload" | "failed" | "died"
    readonly reasons: readonly string[]
  }
}

const timeoutMs = 2000

/** Undefined when no controller answers there. */
export function readController(socketPath: string): Promise<ControllerFacts | undefined> {
  const { promise, resolve } = Promise.withResolvers<ControllerFacts | undefined>()
  const nobody = () => resolve(undefined)
  const options = { socketPath, path: "/api/overview", agent: false, timeout: timeoutMs }
  const sent = request(options, (response) => {
    const chunks: Buffer[] = []
    response.on("data", (chunk: Buffer) => chunks.push(chunk))
    response.once("error", nobody)
    response.once("end", () => {
      resolve(response.statusCode === 200 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined)
    })
  })
  sent.once("timeout", () => sent.destroy(new Error("no answer")))
  sent.once("error", nobody)
  sent.end()
  return promise
}
