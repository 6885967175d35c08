#!/usr/bin/env node
import { readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { overview } from "../cli/commands/command-help.ts"
import { runCommand, topics } from "../cli/commands/commands.ts"
import { screenOf } from "../cli/commands/terminal-screen.ts"
import type { parseFlags } from "./core/options/flags.ts"
import { unknownBuild, type World } from "./run/world.ts"
import { Failure, systemCode } from "./support/failure.ts"
import { root } from "./support/root.ts"

// The process: arguments, environment, signals and the exit code. Nothing else touches them. What the controller is made of is loaded only where it is to
// run: commands start in a tenth of the time without it.

const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
/** The commit is "" in a checkout; the image says which it was built from. */
const built = { release: version, commit: process.env.WICK_COMMIT ?? "" }
process.exitCode = await main(process.argv.slice(2))
await written(process.stdout)
process.exit()

/** @returns the exit code: 0 when all went well, 1 for a start that cannot succeed or a bug; others as commands say */
async function main(args: readonly string[]): Promise<number> {
  const [first = "", ...rest] = args
  if (first === "--help" || first === "-h") return print(overview(topics))
  return first === "" || first.startsWith("-") ? start(args) : look(first, rest)
}

/** Asks what runs. */
async function look(command: string, args: readonly string[]): Promise<number> {
  const hasColours = process.stdout.isTTY && !process.env.NO_COLOR
  process.stdout.on("error", endWithReader)
  const screen = screenOf(process.stdin, process.stdout, beforeEnd)
  const place = { service: apiService(), ...built, interrupted, ...(screen && { screen }) }
  let exitCode = 0
  const endWith = (wanted: number) => {
    exitCode = wanted
  }
  const wrong = await runCommand(command, args, { write: print, hasColours, endWith }, place)
  return wrong === undefined ? exitCode : complain([wrong])
}

/** Is the controller. */
async function start(args: readonly string[]): Promise<number> {
  const { parseFlags } = await import("./core/options/flags.ts")
  const command = parseFlags(args)
  switch (command.kind) {
    case "help":
      return print(command.about === "flags" ? await flagHelp() : overview(topics))
    case "version": {
      const { versionText } = await import("../cli/commands/version.ts")
      return print(await versionText(built))
    }
    case "wrong":
      return complain(command.errors)
    case "run":
      return control(command)
    default:
      return command satisfies never
  }
}

async function flagHelp(): Promise<string> {
  const { flagHelp } = await import("./core/options/help.ts")
  return flagHelp(process.stdout.columns)
}

async function control({
  options,
  warnings,
}: Extract<ReturnType<typeof parseFlags>, { kind: "run" }>): Promise<number> {
  const { createLog } = await import("./report/observe/log.ts")
  const { leaveSignal } = await import("./output/nginx/shutdown.ts")
  const { run } = await import("./run/run.ts")
  const log = createLog({ verbosity: options.v, isPretty: process.stderr.isTTY })
  for (const warning of warnings) log.warn({ detail: warning }, "Flags")
  keepAllocator()
  try {
    await run({
      options,
      log,
      build: buildInfo(),
      identity: identity(options.controllerClass),
      differencesOf: async () => (await import("../cli/lint/candidate.ts")).differencesOfCandidate,
      service: apiService(),
      otlp: otlp(),
      ...stopSignals(leaveSignal),
    })
    return 0
  } catch (error) {
    return complain([
      error instanceof Failure ? error.message : String(error instanceof Error ? error.stack : error),
    ])
  }
}

/** What the launcher tells glibc is for this process alone: nginx takes large buffers for requests, and gives them back with each. */
function keepAllocator(): void {
  for (const name of ["MALLOC_ARENA_MAX", "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"])
    delete process.env[name]
}

/**
 * SIGTERM, Ctrl-C, a terminal that closes and `wick wait-shutdown` ask for an orderly end, the second of them for the end at once. Not in a
 * container: there a hook's `pkill -f nginx-ingress-controller` meets PID 1 as well, which passes its SIGTERM on, and the kubelet sends one of its
 * own. Nobody is in a hurry; the kubelet, when it is, kills.
 */
function stopSignals(leaveSignal: NodeJS.Signals): Pick<World, "stop" | "isLeaving" | "stopNow"> {
  const stop = new AbortController()
  const stopNow = new AbortController()
  const isPatient = process.env.WICK_CONTAINER !== undefined
  const asked = (name: string) => {
    if (!stop.signal.aborted) stop.abort(name)
    else if (!isPatient) stopNow.abort()
  }
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP", leaveSignal]) process.on(name, asked)
  return { stop: stop.signal, isLeaving: () => stop.signal.reason === leaveSignal, stopNow: stopNow.signal }
}

/** The first Ctrl-C asks, the second one ends the process. */
function interrupted(): AbortSignal {
  const interrupt = new AbortController()
  process.once("SIGINT", () => interrupt.abort())
  return interrupt.signal
}

/** Has something done when the process ends, be it by a signal. */
function beforeEnd(close: () => void): void {
  process.once("exit", close)
  for (const [signal, number] of [
    ["SIGHUP", 1],
    ["SIGINT", 2],
    ["SIGTERM", 15],
  ] as const)
    process.once(signal, () => process.exit(128 + number))
}

function identity(controllerClass: string) {
  const { POD_NAMESPACE: namespace = "", POD_NAME: pod = "" } = process.env
  return { controllerClass, namespace, pod }
}

function apiService() {
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "" } = process.env
  return { host, port }
}

/** Source: OpenTelemetry, "OTLP exporter configuration". JSON is not sent: where it is asked for, HTTP with protobuf is. */
function otlp(): World["otlp"] {
  const of = (name: string) =>
    process.env[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || process.env[`OTEL_EXPORTER_OTLP_${name}`]
  return {
    protocol: of("PROTOCOL")?.startsWith("http") ? "http/protobuf" : "grpc",
    hasEndpoint: Boolean(of("ENDPOINT")),
  }
}

function buildInfo() {
  return { release: built.release, build: built.commit || unknownBuild, repository: "unknown" }
}

/** The reader of our output has seen enough, as `| head` has. */
function endWithReader(error: Error): void {
  if (systemCode(error) !== "EPIPE") throw error
  process.exit()
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

/** A pipe takes what is written to it only as fast as somebody reads. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()))
}

function complain(sentences: readonly string[]): number {
  for (const sentence of sentences) process.stderr.write(`wick: ${sentence}\n`)
  return 1
}
