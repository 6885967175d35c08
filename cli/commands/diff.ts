import { readFile } from "node:fs/promises"
import { rootCertificates } from "node:tls"
import { explain } from "../../controller/inspect/explanation.ts"
import { sourcesIn } from "../../controller/inspect/explanation-sources.ts"
import { headline } from "../../controller/inspect/explanation-text.ts"
import { Failure, reasonOf } from "../../controller/support/failure.ts"
import type { Sides } from "../diff/asking/ask-both.ts"
import type { DiffOptions, Known } from "../diff/diff.ts"
import type { ReadLog } from "../diff/logs/read-logs.ts"
import type { Netrc } from "../diff/netrc.ts"
import type { DiffReport } from "../diff/report/report.ts"
import type { Chosen, LeftOut } from "../diff/requests/chosen.ts"
import type { DiffRequest } from "../diff/requests/request.ts"
import { type Asked, type Command, one, type Place, usage, withRunning } from "./command.ts"
import { controllerFlags, readObjects } from "./lint.ts"
import { printable } from "./table.ts"
import { paint, type Terminal, writeJson, writeLines } from "./terminal.ts"

/** As those of lint; 1 is what every command ends with that could not do what it was asked for. */
const exitCodes = { same: 0, different: 2, refused: 3 } as const

export const diff: Command = {
  name: "diff",
  description: [
    "OLD and NEW are addresses (10.0.0.1, ports 80 and 443) or URLs separated by commas (http://10.0.0.1:8080,https://10.0.0.1:8443); DNS is not asked for hosts of requests.",
    "Requests are made from the Ingresses below DIR, or of a cluster with --kubeconfig, from an access log and from a HAR. Only GET, HEAD and OPTIONS are sent.",
    "Exit codes: 0 both answer alike, 2 some answers differ or could not be had, 3 NEW refuses what OLD serves, 1 it could not be done. Ctrl-C prints what there is so far.",
  ],
  flags: [
    ...controllerFlags,
    {
      name: "access-log",
      valueName: "FILE",
      meaning: "requests of a log: combined format, ingress-nginx's or JSON, also .gz",
    },
    { name: "har", valueName: "FILE", meaning: "requests that a browser's tools have exported" },
    { name: "host", valueName: "HOST", meaning: "host of logged requests that do not tell theirs" },
    {
      name: "netrc-file",
      valueName: "FILE",
      meaning: "users and passwords by host, for paths that ask for some",
    },
    {
      name: "replay-credentials",
      meaning: "send cookies and Authorization of the HAR again",
    },
    { name: "unsafe-methods", meaning: "send requests with other methods, too: they may change something" },
    { name: "max-requests", valueName: "COUNT", meaning: "at most so many, default 1000" },
    { name: "rate", valueName: "COUNT", meaning: "requests per second to each side, default 20" },
    { name: "concurrency", valueName: "COUNT", meaning: "requests at a time to each side, default 4" },
    { name: "timeout", valueName: "SECONDS", meaning: "for each request, default 10" },
    { name: "max-body", valueName: "BYTES", meaning: "how much of a body is read, default 1048576" },
    { name: "insecure", meaning: "send requests to a side whose certificate is not trusted, too" },
    {
      name: "cacert",
      valueName: "FILE",
      meaning: "authorities that are trusted besides the usual ones (PEM)",
    },
    { name: "dry-run", meaning: "list the requests and send none" },
  ],
  async run(asked, terminal, place) {
    const sides = await sidesOf(asked)
    const known = await knownOf(asked, place)
    const credentials = await credentialsOf(asked)
    const chosen = await chosenOf(asked, known, sides, credentials)
    if (asked.flags["dry-run"]) return writeRequests(chosen, asked, terminal)
    const options = await optionsOf(asked, sides, credentials)
    const signal = place.interrupted?.() ?? new AbortController().signal
    const { diff: compareBoth } = await import("../diff/diff.ts")
    const run = (explain: Pick<DiffOptions, "explain"> = {}) =>
      compareBoth(chosen, known.causes, { ...options, ...explain }, signal)
    const report = asked.runtimeDir === "" ? await run() : await explained(asked, run)
    if (asked.json) writeJson(terminal, report)
    else await writeReport(report, terminal)
    terminal.endWith?.(exitCodeOf(report))
  },
}

/** With what the running wick says about each kind of difference. */
function explained(
  asked: Asked,
  run: (explain: Pick<DiffOptions, "explain">) => Promise<DiffReport>,
): Promise<DiffReport> {
  return withRunning(asked, (inForce) =>
    run({
      explain: async ({ scheme, host, target }) => {
        const rehearsal = { host, target, headers: {}, isHttps: scheme === "https" }
        return headline(await explain(rehearsal, { ...sourcesIn(inForce), standing: nobodyKnows }))
      },
    }),
  )
}

async function sidesOf({ operands }: Asked): Promise<Sides> {
  const { parseSide } = await import("../diff/sides.ts")
  const [old, now] = operands
  if (old === undefined || now === undefined) throw usage(diff, "It needs two addresses")
  return [parseSide(old), parseSide(now)]
}

async function knownOf(asked: Asked, place: Place): Promise<Known> {
  const { knownFrom, nothingKnown } = await import("../diff/diff.ts")
  const [, , directory = ""] = asked.operands
  const kubeconfig = one(asked, "kubeconfig")
  if (directory !== "" && kubeconfig !== "")
    throw usage(diff, "A directory and --kubeconfig are one too many")
  const hasLog = one(asked, "access-log") !== "" || one(asked, "har") !== ""
  if (directory === "" && kubeconfig === "" && !hasLog)
    throw usage(diff, "It needs Ingresses or requests: a directory, --kubeconfig, --access-log or --har")
  if (directory === "" && kubeconfig === "") return nothingKnown
  return knownFrom(await readObjects(asked, directory, place), Date.now())
}

async function chosenOf(
  asked: Asked,
  { ingresses, requests }: Known,
  sides: Sides,
  credentials: Netrc,
): Promise<Chosen> {
  const { chosen } = await import("../diff/requests/chosen.ts")
  const { readAccessLog, readHar } = await import("../diff/logs/read-logs.ts")
  const { requestFinder } = await import("../diff/logs/requests-of-logs.ts")
  const find = requestFinder({ ingresses, fallback: one(asked, "host").toLowerCase() })
  const replaysCredentials = asked.flags["replay-credentials"] !== undefined
  const logs = await Promise.all([
    ...all(asked, "access-log").map((file) => readAccessLog(file, find)),
    ...all(asked, "har").map((file) => readHar(file, find, replaysCredentials)),
  ])
  const [old, now] = sides
  const found = chosen([...requests, ...logs.flatMap((log) => log.requests)], {
    maxRequests: count(asked, "max-requests", 1000),
    allowsUnsafe: asked.flags["unsafe-methods"] !== undefined,
    knowsUser: (host) => credentials.authorizationFor(host) !== undefined,
    schemes: new Set((["http", "https"] as const).filter((scheme) => old[scheme] && now[scheme])),
  })
  return { ...found, leftOut: [...unusedOf(logs), ...found.leftOut] }
}

function unusedOf(logs: readonly ReadLog[]): readonly LeftOut[] {
  const sum = (field: "unread" | "withoutHost" | "tooMany") => logs.reduce((all, log) => all + log[field], 0)
  return [
    { why: "they are lines of a log in another format", count: sum("unread") },
    { why: "the log does not say for which host they were (--host)", count: sum("withoutHost") },
    { why: "their log has too many different ones", count: sum("tooMany") },
  ].filter(({ count }) => count > 0)
}

async function credentialsOf(asked: Asked): Promise<Netrc> {
  const { noCredentials, parseNetrc } = await import("../diff/netrc.ts")
  const netrc = one(asked, "netrc-file")
  return netrc === "" ? noCredentials : parseNetrc(await textOf(netrc))
}

async function optionsOf(asked: Asked, sides: Sides, credentials: Netrc): Promise<DiffOptions> {
  const [netrc, authorities] = [one(asked, "netrc-file"), one(asked, "cacert")]
  const isInsecure = asked.flags.insecure !== undefined
  return {
    sides,
    timeoutMs: 1000 * count(asked, "timeout", 10, maxSeconds),
    maxBodyBytes: count(asked, "max-body", 1_048_576),
    perSecond: count(asked, "rate", 20),
    maxAtOnce: count(asked, "concurrency", 4),
    isInsecure,
    authorities: authorities === "" ? [] : [...rootCertificates, await textOf(authorities)],
    credentials,
    curl: { isInsecure, netrc, authorities },
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8")
  } catch (cause) {
    throw new Failure("file-unreadable", `Cannot read ${JSON.stringify(file)}: ${reasonOf(cause)}`, { cause })
  }
}

function all({ flags }: Asked, name: string): readonly string[] {
  return (flags[name] ?? []).map(String)
}

const maxCount = 1_000_000_000
/** A timer of Node takes 2^31−1 milliseconds. */
const maxSeconds = 2_147_483

function count(asked: Asked, name: string, initial: number, max = maxCount): number {
  const text = one(asked, name)
  if (text === "") return initial
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > max)
    throw usage(diff, `Cannot use --${name}=${text}, write a whole number from 1 to ${max}`)
  return value
}

async function writeRequests({ requests, leftOut }: Chosen, asked: Asked, terminal: Terminal): Promise<void> {
  const { shownHeaders, shownUrl } = await import("../diff/requests/secrets.ts")
  const shown = requests.map(({ body, ...request }) => ({
    ...request,
    target: shownUrl(request.target),
    headers: shownHeaders(request),
    ...(body !== undefined && { bodyBytes: Buffer.byteLength(body) }),
  }))
  if (asked.json) return writeJson(terminal, { requests: shown, leftOut })
  writeLines(terminal, [
    ...shown.map((request) => printable(lineOf(request))),
    ...leftOut.map(({ count, why }) => `Not asked: ${count} as ${why}`),
  ])
}

function lineOf({
  method,
  scheme,
  host,
  target,
  headers,
  about,
  ingress,
}: Omit<DiffRequest, "body">): string {
  const sent = Object.entries(headers).map(([name, value]) => ` ${name}=${value}`)
  const whose = ingress === undefined ? "" : ` of ${ingress.namespace}/${ingress.name}`
  return `${method} ${scheme}://${host}${target}${sent.join("")}  (${about}${whose})`
}

async function writeReport(report: DiffReport, terminal: Terminal): Promise<void> {
  const { diffText } = await import("../diff/report/print-text.ts")
  writeLines(
    terminal,
    diffText(report).map(({ text, style }) => {
      const safe = printable(text)
      return style === undefined ? safe : paint(terminal, style, safe)
    }),
  )
}

/** Headlines do without Problems. */
async function nobodyKnows(): Promise<undefined> {
  return undefined
}

function exitCodeOf({ summary }: DiffReport): number {
  if (summary.refused > 0) return exitCodes.refused
  const isSame = summary.different === 0 && summary.unanswered === 0 && summary.notAsked === 0
  return isSame ? exitCodes.same : exitCodes.different
}
