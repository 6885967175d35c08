import type { IncomingMessage, ServerResponse } from "node:http"
import { reasonOf } from "../../support/failure.ts"
import type { Log } from "../../support/log.ts"
import { type Profile, profiles } from "./profiles.ts"

// The paths are those of Go's profiler, which ingress-nginx has. One profile is taken at a time: each costs the controller time, and a snapshot memory
// as well.

/** What is answered instead of a profile. */
interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface AnsweringOptions {
  /** why this request is not answered, if it is not */
  readonly refuse: (request: IncomingMessage) => Promise<Answer | undefined>
  readonly log: Pick<Log, "info" | "error">
}

const root = "/debug/pprof/"

/** Answers requests for profiles. */
export class Answering {
  readonly #with: AnsweringOptions
  #isTaking = false

  constructor(options: AnsweringOptions) {
    this.#with = options
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const instead = (await this.#with.refuse(request)) ?? (await this.#take(request, response))
      if (instead !== undefined) send(response, instead)
    } catch (error) {
      this.#with.log.error({ err: error }, "Cannot take a profile")
      if (response.headersSent) response.destroy()
      else send(response, refusal(500, `Cannot take a profile: ${reasonOf(error)}`))
    }
  }

  /** @returns what is answered where no profile is */
  async #take(request: IncomingMessage, response: ServerResponse): Promise<Answer | undefined> {
    if (request.method !== "GET") return refusal(405, "Ask with GET", { allow: "GET" })
    const [path = "", query] = (request.url ?? "").split(/\?(.*)/s)
    if (path === root || path === root.slice(0, -1)) return text(200, index())
    const profile = profiles.find(({ name }) => path === `${root}${name}`)
    if (profile === undefined) return refusal(404, `There is no such profile: ${root} lists them`)
    const seconds = secondsIn(new URLSearchParams(query), profile)
    if (typeof seconds === "object") return seconds
    if (this.#isTaking)
      return refusal(409, "Another profile is being taken: ask again when it is done", { "retry-after": "5" })
    this.#isTaking = true
    try {
      await this.#write(profile, seconds, response)
    } finally {
      this.#isTaking = false
    }
    return undefined
  }

  async #write(profile: Profile, seconds: number, response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    response.once("close", () => gone.abort())
    const { name, extension } = profile
    const length = profile.seconds && { seconds }
    this.#with.log.info({ profile: name, ...length }, "A profile is being taken")
    await profile.write(response, seconds * 1000, gone.signal, {
      "content-type": "application/json",
      "content-disposition": `attachment; filename="wick-${new Date().toISOString().replaceAll(/[:.]/g, "-")}.${extension}"`,
      ...always,
    })
  }
}

/** @returns how long it is to take, or why it is not taken; 0 for one that takes no time of its own */
function secondsIn(query: URLSearchParams, { seconds: limits }: Profile): number | Answer {
  const said = query.get("seconds")
  if (limits === undefined)
    return said === null ? 0 : refusal(400, "seconds has no meaning here: a snapshot is of one moment")
  const seconds = said === null ? limits.usual : Number(said)
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= limits.most
    ? seconds
    : refusal(400, `seconds is a whole number from 1 to ${limits.most}`)
}

function index(): string {
  const rows = profiles.map(({ name, seconds, extension, what }) => {
    const query = seconds === undefined ? "" : `?seconds=${seconds.usual}`
    return `${root}${name}${query}\n    .${extension}: ${what}\n`
  })
  const title = "Profiles of the controller, which is a process of Node.js. One is taken at a time.\n"
  return [title, ...rows].join("\n")
}

const always = { "cache-control": "no-store", "x-content-type-options": "nosniff" }

function text(status: number, body: string, headers: Answer["headers"] = {}): Answer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...always, ...headers }, body }
}

/** @param reason a sentence without its dot */
function refusal(status: number, reason: string, headers: Answer["headers"] = {}): Answer {
  return text(status, `${reason}\n`, headers)
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers).end(body)
}
