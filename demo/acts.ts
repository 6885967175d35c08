// What the demo shows, one function each. Everything that is said was measured or seen; what was expected and not seen is an error.
import { ask } from "../harness/http.ts"
import { ingress, manifest, service } from "../harness/manifests.ts"
import { until } from "../harness/until.ts"
import type { Wick } from "../harness/wick.ts"
import { hosts, type Stage, serviceFile } from "./stage.ts"
import { did, milliseconds, printCounts, saw } from "./tell.ts"

/** A change that traffic notices: its name and how long that took, in milliseconds from saving the file. */
export interface Measured {
  readonly change: string
  readonly ms: number
}

export interface Act {
  readonly title: string
  readonly play: (stage: Stage) => Promise<Measured | undefined>
}

export const acts: readonly Act[] = [
  { title: "Who answers", play: whoAnswers },
  { title: "An endpoint is added", play: addEndpoint },
  { title: "An endpoint is removed", play: removeEndpoint },
  { title: "A host is added", play: addHost },
  { title: "An Ingress with a typo hurts nobody", play: breakIngress },
  { title: "The Wasm filter crashes inside nginx", play: crashFilter },
]

async function whoAnswers({ wick }: Stage): Promise<undefined> {
  for (const host of hosts) {
    const counts = await sample(wick.port, host, 30)
    expect(counts.size >= 2, `all endpoints of ${host} answer`)
    saw(`${host}: ${printCounts(counts)}`)
  }
}

async function addEndpoint({ wick, backends }: Stage): Promise<Measured> {
  const shop = backends.filter((backend) => backend.name.startsWith("shop-"))
  const savedMs = performance.now()
  wick.write("service-shop.yaml", serviceFile("shop", shop))
  did("saved service-shop.yaml with a fourth endpoint, shop-4")
  await until("shop-4 to answer", async () => (await whoIs(wick.port, "shop.demo")) === "shop-4")
  const ms = performance.now() - savedMs
  saw(`shop-4 answers ${milliseconds(ms)} later: ${printCounts(await sample(wick.port, "shop.demo", 40))}`)
  return { change: "endpoint added", ms }
}

async function removeEndpoint({ wick, backends }: Stage): Promise<Measured> {
  const shop = backends.filter((backend) => backend.name.startsWith("shop-") && backend.name !== "shop-1")
  const savedMs = performance.now()
  wick.write("service-shop.yaml", serviceFile("shop", shop))
  did("saved service-shop.yaml without shop-1")
  const goneMs = await lastAnswerOf(wick.port, "shop.demo", "shop-1")
  const ms = Math.max(0, goneMs - savedMs)
  saw(
    `shop-1 gets nothing from ${milliseconds(ms)} later on: ${printCounts(await sample(wick.port, "shop.demo", 30))}`,
  )
  return { change: "endpoint removed", ms }
}

async function addHost({ wick }: Stage): Promise<Measured> {
  const before = await ask({ port: wick.port }, { host: "news.demo" })
  expect(before.status === 404, "news.demo is unknown at first")
  const savedMs = performance.now()
  wick.write("ingress-news.yaml", manifest(ingress("demo/news", "news.demo/ → blog:80")))
  did("saved ingress-news.yaml: host news.demo, served by blog")
  await until(
    "news.demo to answer",
    async () => (await ask({ port: wick.port }, { host: "news.demo" })).status === 200,
  )
  const ms = performance.now() - savedMs
  saw(`news.demo answers ${milliseconds(ms)} later: ${printCounts(await sample(wick.port, "news.demo", 20))}`)
  return { change: "host added", ms }
}

async function breakIngress({ wick }: Stage): Promise<undefined> {
  const typo = ingress("demo/typo", "typo.demo/ → shpo:80", { "proxy-read-timeuot": "5" })
  const logged = wick.log().length
  wick.write("ingress-typo.yaml", manifest(typo, service("demo/unused")))
  did('saved ingress-typo.yaml: its Service is "shpo", its annotation "proxy-read-timeuot"')
  const problem = (word: string) =>
    until(`a Problem about ${word}`, () => lineWith(wick.log().slice(logged), word))
  for (const word of ["shpo", "proxy-read-timeuot"]) saw(`wick says: ${readable(await problem(word))}`)
  const { status } = await ask({ port: wick.port }, { host: "typo.demo" })
  expect(status === 503, "typo.demo alone answers 503")
  saw("typo.demo answers 503; the other hosts never noticed")
}

async function crashFilter({ wick }: Stage): Promise<undefined> {
  const logged = wick.log().length
  const workers = wick.workers().join()
  const answer = await ask({ port: wick.port }, { host: "shop.demo", headers: { "x-wick-fault": "trap" } })
  did("sent a request that makes the filter execute `unreachable` (only the demo's build of it does that)")
  expect(answer.status === 200, "the request that crashed the filter is served")
  saw(`that very request was answered by ${answer.body}: nginx chose from the endpoints last known`)
  const line = await until("a log line about the trap", () =>
    lineWith(wick.log().slice(logged), "unreachable"),
  )
  saw(`nginx logs: ${line.replace(/^.*\[wasm\] | in function.*/g, "")}`)
  expect(wick.workers().join() === workers, "no worker was lost")
  await until("the filter to answer again, in whatever worker", () => answersAlways(wick))
  saw(
    `the workers are the same, the filter is back: ${printCounts(await sample(wick.port, "shop.demo", 30))}`,
  )
}

/** The filter serves the control API as well: 20 connections in a row find it alive. */
async function answersAlways(wick: Wick): Promise<boolean> {
  for (let n = 0; n < 20; n += 1) {
    if ((await wick.control("GET", "/configuration/changes")).status !== 200) return false
  }
  return true
}

/** A log line of wick as a person reads it; the log itself is JSON as long as nobody watches a terminal. */
function readable(line: string): string {
  const { object, detail } = JSON.parse(line) as { object: string; detail: string }
  return `${object}: ${detail}`
}

/** Throws when something that the demo is about to say is not so. */
function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(`This should be so and is not: ${what}`)
}

async function whoIs(port: number, host: string): Promise<string> {
  const answer = await ask({ port }, { host })
  expect(answer.status === 200, `${host} answers 200 (it was ${answer.status})`)
  return answer.body
}

async function sample(port: number, host: string, requests: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let n = 0; n < requests; n += 1) {
    const name = await whoIs(port, host)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

/** When the first of 100 requests in a row was sent that somebody else answered. */
async function lastAnswerOf(port: number, host: string, name: string): Promise<number> {
  let sinceMs = performance.now()
  for (let inARow = 0, sent = 0; inARow < 100; sent += 1) {
    if (sent > 20_000) throw new Error(`${name} still answers`)
    const startedMs = performance.now()
    if ((await whoIs(port, host)) === name) inARow = 0
    else if (inARow++ === 0) sinceMs = startedMs
  }
  return sinceMs
}

function lineWith(log: string, word: string): string | undefined {
  return log
    .split("\n")
    .find((line) => line.includes(word))
    ?.trim()
}
