// A load client for tests: some connections that ask one thing after another until they are told to stop, and a count
// of everything that came back. No rate and no statistics: for those see bench/.
import { Agent } from "node:http"
import { setTimeout } from "node:timers/promises"
import { type Answer, ask, IdleClosed, type Question, type Target } from "./http.ts"

export interface LoadOptions extends Target {
  /** How many requests are under way at any time; default 8. */
  readonly connections?: number
  /** False opens a connection for each request; default true. */
  readonly keepAlive?: boolean
  /** The next request; `n` counts from 0 over all connections. */
  readonly question: (n: number) => Question
  /** Sees each answer. `startedMs` is `performance.now()` just before the request was sent. */
  readonly onAnswer?: (answer: Answer, startedMs: number, question: Question) => void
  /** Each connection waits so long between an answer and its next question; default 0. */
  readonly pauseMs?: number
  /** Ends by itself after so many requests; default 1,000,000, a bound and no aim. */
  readonly requests?: number
}

/** A request that got no answer, in `performance.now()` milliseconds. */
interface LostRequest {
  readonly error: string
  readonly startedMs: number
  readonly endedMs: number
}

export interface LoadResult {
  /** Requests that were sent, without those sent again. */
  requests: number
  /** Sent a second time because the server had closed the kept connection while it was idle. */
  resent: number
  /** Answers by status. */
  readonly statuses: Map<number, number>
  /** Answers by body, only those with status 200. */
  readonly answers: Map<string, number>
  readonly lost: LostRequest[]
}

export interface Load {
  /** What has been counted so far; grows while the load runs. */
  readonly result: LoadResult
  /** Resolves when all connections have ended by themselves or after `stop()`. */
  readonly done: Promise<LoadResult>
  /** Lets the requests under way finish. */
  stop(): Promise<LoadResult>
}

/** Starts asking at once. */
export function startLoad(options: LoadOptions): Load {
  const result = newResult()
  // Each kept connection in its turn: one that others are preferred to may be closed for having been idle.
  const agent = new Agent({ keepAlive: options.keepAlive ?? true, scheduling: "fifo" })
  const target = { ...options, agent }
  let stopped = false
  const maxRequests = options.requests ?? 1_000_000

  const connection = async () => {
    while (!stopped && result.requests < maxRequests) {
      await one(target, options, result)
      if (options.pauseMs !== undefined) await setTimeout(options.pauseMs)
    }
  }
  const all = Array.from({ length: options.connections ?? 8 }, connection)
  const done = Promise.all(all).then(() => {
    agent.destroy()
    return result
  })
  const stop = () => {
    stopped = true
    return done
  }
  return { result, done, stop }
}

export function newResult(): LoadResult {
  return { requests: 0, resent: 0, statuses: new Map(), answers: new Map(), lost: [] }
}

async function one(target: Target, options: LoadOptions, result: LoadResult): Promise<void> {
  const question = options.question(result.requests)
  result.requests += 1
  const startedMs = performance.now()
  try {
    const answer = await twiceIfIdleClosed(target, question, result)
    count(result.statuses, answer.status)
    if (answer.status === 200) count(result.answers, answer.body)
    options.onAnswer?.(answer, startedMs, question)
  } catch (error) {
    result.lost.push({ error: String(error), startedMs, endedMs: performance.now() })
  }
}

async function twiceIfIdleClosed(target: Target, question: Question, result: LoadResult): Promise<Answer> {
  try {
    return await ask(target, question)
  } catch (error) {
    if (!(error instanceof IdleClosed)) throw error
    result.resent += 1
    // on a connection of its own: a worker that ends closes all that are kept
    const { agent: _, ...fresh } = target
    return ask(fresh, question)
  }
}

export function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
