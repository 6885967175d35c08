import type { IncomingMessage } from "node:http"
import { Failure } from "../controller/support/failure.ts"
import type { Gate } from "./gate.ts"
import { type Reply, redirect, refusal } from "./reply.ts"
import { isSame, isSession, readToken, sessionOf, sessionSeconds } from "./token.ts"

const cookie = "wick_ui"

/** What the form of the login page needs. */
const open: readonly string[] = ["/login", "/page/style.css", "/page/icon.svg"]

const maxFormBytes = 4096

/**
 * For an address that others reach: a client has the token, in `Authorization: Bearer …`, or a session that the form of `/login` began.
 *
 * @param file what the token is in
 */
export function tokenGate(file: string, now: () => number = Date.now): Gate {
  return {
    async check(request, path) {
      try {
        const token = await readToken(file)
        if (path === "/login" && request.method === "POST") return await login(request, token, now())
        if (open.includes(path) || isLetIn(request, token, now())) return undefined
        return path.startsWith("/api/") ? unauthorized() : redirect("/login")
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return refusal(503, error.message)
      }
    },
  }
}

function isLetIn({ headers }: IncomingMessage, token: string, nowMs: number): boolean {
  const [, bearer] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? "") ?? []
  if (bearer !== undefined) return isSame(bearer, token)
  return cookiesIn(headers.cookie ?? "").some((session) => isSession(session, token, nowMs))
}

function cookiesIn(header: string): readonly string[] {
  return header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookie}=`))
    .map((pair) => pair.slice(cookie.length + 1))
}

function unauthorized(): Reply {
  return refusal(401, "A token is needed: send it as Authorization: Bearer, or log in", {
    "www-authenticate": "Bearer",
  })
}

async function login(request: IncomingMessage, token: string, nowMs: number): Promise<Reply> {
  const given = new URLSearchParams(await formOf(request)).get("token") ?? ""
  if (!isSame(given.trim(), token)) return redirect("/login#failed")
  const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${sessionSeconds}`
  return redirect("/", { "set-cookie": `${cookie}=${sessionOf(token, nowMs)}; ${attributes}` })
}

/** @returns "" for one that is too long to have a token, or whose end never comes */
async function formOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxFormBytes) return ""
      chunks.push(chunk)
    }
  } catch {
    return "" // the client has gone
  }
  return Buffer.concat(chunks).toString()
}
