import { type RequestOptions, request as requestByTls } from "node:https"
import type { Layout } from "../output/nginx/files.ts"
import { Failure, systemCode } from "../support/failure.ts"
import { request, validateHeaderValue } from "../support/http.ts"
import type { Outcome } from "./outcome.ts"
import { type StepsRun, stepsRunIn } from "./steps-run.ts"

// nginx has a server that finds routes as the one for traffic does, answers redirects and statuses as that one would, and where a request would
// go on to a backend says so instead. Asking it is the one way to know which route serves a request.

/** A request that is not sent to any backend. */
export interface Rehearsal {
  /** as in the Host header */
  readonly host: string
  /** path and arguments, as a client sends them */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly isHttps: boolean
}

export interface Rehearsed {
  /** the route that was found; undefined: none */
  readonly found?: {
    /** the host's record, as `GET /configuration/routes?host=` shows it */
    readonly host: string
    /** place of the route in that record */
    readonly index: number
    /** the path that it was found by: decoded and normalised */
    readonly path: string
  }
  readonly outcome: Outcome
  /** of the host, and of the route; undefined: it has none */
  readonly hostSteps?: StepsRun
  readonly steps?: StepsRun
}

const timeoutMs = 10_000

/**
 * @param asksService has nginx ask the authentication service of the route, with the request as it is
 * @throws Failure `not-running` when nobody answers, `request-refused` when no request of HTTP is such, or nginx does not understand it
 */
export async function rehearse(layout: Layout, asked: Rehearsal, asksService = false): Promise<Rehearsed> {
  for (const [name, value] of Object.entries({ ...asked.headers, host: asked.host })) checkHeader(name, value)
  const { promise, resolve, reject } = Promise.withResolvers<Rehearsed>()
  const { isHttps } = asked
  const socketPath = isHttps ? layout.sockets.explainTls : layout.sockets.explain
  const start = isHttps ? requestByTls : request
  const sent = start({ ...optionsOf(asked, asksService), socketPath }, (response) => {
    const chunks: Buffer[] = []
    response.on("data", (chunk: Buffer) => chunks.push(chunk))
    response.once("error", (error) => reject(lost(error)))
    response.once("end", () => {
      const { statusCode: status = 0, headers } = response
      const found = foundBy(headers["x-wick-route"])
      if (found === undefined && status === 400) return reject(refused())
      const body = Buffer.concat(chunks).toString()
      const [hostSteps, steps] = [headers["x-wick-host-steps"], headers["x-wick-steps"]].map(stepsRunIn)
      resolve({
        ...(found && { found }),
        outcome: outcomeOf(status, headers.location, body),
        ...(hostSteps && { hostSteps }),
        ...(steps && { steps }),
      })
    })
  })
  sent.once("timeout", () => sent.destroy(new Error(`no answer in ${timeoutMs / 1000} s`)))
  sent.once("error", (error) => reject(lost(error)))
  sent.end()
  return promise
}

function checkHeader(name: string, value: string): void {
  try {
    validateHeaderValue(name, value)
  } catch {
    throw new Failure(
      "request-refused",
      `Cannot explain this request: header ${name} has a character that HTTP headers may not have`,
    )
  }
}

/** The certificate is our own, and the socket says enough about who answers. */
function optionsOf({ host, target, headers }: Rehearsal, asksService: boolean): RequestOptions {
  return {
    path: encoded(target),
    headers: { ...headers, host, ...(asksService && { "x-wick-ask-service": "1" }) },
    timeout: timeoutMs,
    agent: false,
    rejectUnauthorized: false,
  }
}

/** What a request line cannot hold is escaped, everything else stays as it was written. */
function encoded(target: string): string {
  return target.replace(/[^\x21-\x7e]+/gu, (text) => encodeURIComponent(text.toWellFormed()))
}

/** `index host path`, the path escaped. */
function foundBy(header: string | readonly string[] | undefined): Rehearsed["found"] {
  const [, index, host = "", path = ""] = /^(\d+) (\S+) (\S+)$/.exec(String(header ?? "")) ?? []
  return index === undefined ? undefined : { index: Number(index), host, path: decoded(path) }
}

function decoded(path: string): string {
  return Buffer.from(
    path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString()
}

function outcomeOf(status: number, location: string | undefined, body: string): Outcome {
  if (status === 200) return { kind: "proxied", target: body }
  return location === undefined ? { kind: "answered", status } : { kind: "redirected", status, location }
}

function refused(): Failure {
  return new Failure(
    "request-refused",
    "Cannot explain this request: it is no valid HTTP request, and nginx answers it 400",
  )
}

function lost(error: Error): Failure {
  const why =
    systemCode(error) === "ENOENT" ? "it runs with the configuration of another version" : error.message
  return new Failure("not-running", `Cannot ask nginx which route it would take: ${why}`, { cause: error })
}
