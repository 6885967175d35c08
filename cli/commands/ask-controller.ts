import { request } from "node:http"

const timeoutMs = 2000

/**
 * What the controller says of itself on the socket of its runtime directory, as the page asks it (docs/ui.md).
 *
 * @param path with what stands behind the question mark
 * @returns undefined when no controller answers there
 */
export function askController<T>(socketPath: string, path: string): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<T | undefined>()
  const nobody = () => resolve(undefined)
  const sent = request({ socketPath, path, agent: false, timeout: timeoutMs }, (response) => {
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
