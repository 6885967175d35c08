// One request, and all that it causes: what the client is answered, and what the backend is asked.
import { connect } from "node:net"
import { patienceMs } from "../../../../harness/until.ts"
import type { Recorder } from "../../../support/recorder.ts"
import { authPath, type BackendAnswer, type CaseRequest, type Header } from "./case.ts"

export interface Exchange {
  /** 0: the connection was closed without an answer */
  readonly status: number
  readonly headers: readonly Header[]
  readonly body: string
  /** Requests that the backend got. */
  readonly asked: readonly Asked[]
}

/** A request as the backend got it. */
export interface Asked {
  readonly line: string
  readonly headers: readonly Header[]
  readonly body: string
}

/** Sends a request on a connection of its own; nobody else may ask the backend meanwhile. */
export async function exchange(
  port: number,
  backend: Recorder,
  host: string,
  request: CaseRequest,
): Promise<Exchange> {
  backend.take()
  backend.answer = (asked) => {
    const told = isAuth(asked) ? request.auth : request.answer
    return bytesOfAnswer(told ?? {}, asked.startsWith("HEAD "))
  }
  const answered = await send(port, bytesOf(host, request), request)
  const asked = backend.take().filter((it) => !isAuth(it))
  return { ...answered, asked: asked.map(askedOf) }
}

const isAuth = (asked: string) => asked.startsWith(`GET ${authPath} `)

function bytesOf(host: string, { method = "GET", target, headers = [], body, ...rest }: CaseRequest): string {
  const length: Header[] = body === undefined ? [] : [["Content-Length", String(body.length)]]
  const lines = [["Host", rest.host ?? host] as const, ...headers, ...length].map(lineOf)
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`
}

function bytesOfAnswer(
  { status = 200, headers = [], body = "ok" }: BackendAnswer,
  isToHead: boolean,
): string {
  const hasBody = status !== 204 && status !== 304
  const length: Header[] = hasBody ? [["Content-Length", String(body.length)]] : []
  const head = `HTTP/1.1 ${status} Told\r\n${[...headers, ...length].map(lineOf).join("")}\r\n`
  return hasBody && !isToHead ? head + body : head
}

const lineOf = ([name, value]: Header) => `${name}: ${value}\r\n`

/** @param bytes Latin-1, as all texts here */
function send(port: number, bytes: string, request: CaseRequest): Promise<Omit<Exchange, "asked">> {
  const { promise, resolve, reject } = Promise.withResolvers<Omit<Exchange, "asked">>()
  const socket = connect({ port, host: "127.0.0.1", localAddress: request.from ?? "127.0.0.1" })
  let received = ""
  socket.setTimeout(patienceMs, () => socket.destroy(new Error(`No answer in time to: ${bytes}`)))
  // Whoever closes without an answer may not have read all of the request.
  socket.on("error", (error: NodeJS.ErrnoException) => error.code === "ECONNRESET" || reject(error))
  socket.on("close", () =>
    resolve(received === "" ? { status: 0, headers: [], body: "" } : answerOf(received)),
  )
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text
    if (isWhole(received, request.method === "HEAD")) socket.destroy()
  })
  socket.write(bytes, "latin1")
  return promise
}

/** Whether nothing of the answer is missing. One without a length ends with its connection. */
function isWhole(text: string, isToHead: boolean): boolean {
  const end = text.indexOf("\r\n\r\n")
  if (end < 0) return false
  const status = Number(text.slice(9, 12))
  if (isToHead || status === 204 || status === 304) return true
  const head = text.slice(0, end + 2)
  if (isChunked(head)) return text.endsWith("\r\n0\r\n\r\n")
  const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1]
  return length !== undefined && text.length >= end + 4 + Number(length)
}

const isChunked = (head: string) => /\r\ntransfer-encoding: *chunked\r\n/i.test(head)

function answerOf(text: string): Omit<Exchange, "asked"> {
  const end = text.indexOf("\r\n\r\n")
  const [line = "", ...lines] = text.slice(0, end).split("\r\n")
  const body = text.slice(end + 4)
  const isInChunks = isChunked(text.slice(0, end + 2))
  return {
    status: Number(line.slice(9, 12)),
    headers: lines.map(headerOf),
    body: isInChunks ? joined(body) : body,
  }
}

function askedOf(text: string): Asked {
  const end = text.indexOf("\r\n\r\n")
  const [line = "", ...lines] = text.slice(0, end).split("\r\n")
  return { line, headers: lines.map(headerOf), body: text.slice(end + 4) }
}

function headerOf(line: string): Header {
  const colon = line.indexOf(":")
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}

/** The body that came in chunks. */
function joined(chunks: string): string {
  const end = chunks.indexOf("\r\n")
  const length = Number.parseInt(chunks.slice(0, end), 16)
  if (!(length > 0)) return ""
  const next = end + 2 + length
  return chunks.slice(end + 2, next) + joined(chunks.slice(next + 2))
}
