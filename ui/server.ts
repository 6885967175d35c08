import { once } from "node:events"
import type { IncomingMessage, Server } from "node:http"
import { Failure, reasonOf, systemCode } from "../controller/support/failure.ts"
import { createServer } from "../controller/support/http.ts"
import type { Log } from "../controller/support/log.ts"
import { answers } from "./answers.ts"
import type { Answers } from "./api.ts"
import { type Assets, assetReply, loadAssets } from "./assets.ts"
import type { Gate } from "./gate.ts"
import { Question } from "./question.ts"
import { json, type Reply, refusal, send } from "./reply.ts"
import type { Sources } from "./sources.ts"

// The page, and what it shows as JSON. It is read only: there is nothing that a question could change.

export interface UiOptions {
  readonly sources: Sources
  readonly gate: Gate
  readonly log: Pick<Log, "error">
  /** milliseconds that a request may take to arrive; default 10,000 */
  readonly patienceMs?: number
}

/** A page has one, and a browser at most six. Those on which nothing arrives are not kept, so that strangers cannot take all of them for long. */
const maxConnections = 128

/** The files of the page, once somebody has asked for one. */
let assets: Promise<Assets> | undefined

/** Does not listen yet. */
export function createUiServer({ sources, gate, log, patienceMs = 10_000 }: UiOptions): Server {
  const patience = {
    headersTimeout: patienceMs,
    requestTimeout: patienceMs,
    connectionsCheckingInterval: patienceMs / 10,
  }
  const server = createServer(patience, (request, response) => {
    reply(request, sources, gate)
      .catch((error: unknown) => failed(error, log))
      .then((answer) => send(request, response, answer))
      .catch(() => response.destroy()) // the client has gone
  })
  server.maxConnections = maxConnections
  return server
}

/** @throws Failure `port-in-use` or `cannot-listen` */
export async function listenAt(server: Server, address: string, port: number): Promise<void> {
  server.listen(port, address)
  try {
    await once(server, "listening")
  } catch (cause) {
    const [code, reason] =
      systemCode(cause) === "EADDRINUSE"
        ? ["port-in-use", "it is in use, choose another with --ui-port"]
        : ["cannot-listen", `${reasonOf(cause)}, choose another with --ui-address`]
    throw new Failure(code, `Cannot serve the page on ${address} port ${port}: ${reason}`, { cause })
  }
}

async function reply(request: IncomingMessage, sources: Sources, gate: Gate): Promise<Reply> {
  const [path = "", query = ""] = (request.url ?? "").split(/\?(.*)/s)
  const refused = await gate.check(request, path)
  if (refused !== undefined) return refused
  if (request.method !== "GET" && request.method !== "HEAD")
    return refusal(405, "This page only shows: ask with GET or HEAD", { allow: "GET, HEAD" })
  const [, api, name = ""] = /^\/(api\/)?(.*)$/.exec(path) ?? []
  return api === undefined ? await file(path, request) : await answer(name, query, sources)
}

async function file(path: string, { headers }: IncomingMessage): Promise<Reply> {
  assets ??= loadAssets().catch((error: unknown) => {
    assets = undefined
    throw error
  })
  const found = (await assets).get(path)
  return found === undefined
    ? refusal(404, "There is no such page")
    : assetReply(found, headers["if-none-match"])
}

async function answer(name: string, query: string, sources: Sources): Promise<Reply> {
  if (!Object.hasOwn(answers, name)) return refusal(404, "There is nothing of this name")
  const question = new Question(new URLSearchParams(query))
  return json(200, await answers[name as keyof Answers](question, sources))
}

/** The world may be unwell, and a question wrong; everything else is a fault of ours, which must not end the controller. */
function failed(error: unknown, log: Pick<Log, "error">): Reply {
  if (error instanceof Failure) return refusal(statuses[error.code] ?? 503, error.message)
  log.error({ err: error }, "Cannot answer a question of the page")
  return refusal(500, `Cannot answer: ${reasonOf(error)}`)
}

const statuses: Readonly<Record<string, number>> = {
  "bad-question": 400,
  "request-refused": 400,
  "not-found": 404,
}
