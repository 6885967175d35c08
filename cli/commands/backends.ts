import type { BackendInForce, InForce } from "../../controller/inspect/in-force.ts"
import { algorithmOf, backendLines, backendNotes, endpointText } from "../../controller/inspect/notes.ts"
import { Failure } from "../../controller/support/failure.ts"
import { type Command, withRunning } from "./command.ts"
import { endpointRows, shownEndpoints } from "./endpoint-table.ts"
import { aligned, printable } from "./table.ts"
import { paint, type Terminal, writeJson, writeLines } from "./terminal.ts"

const head = ["BACKEND", "ALGORITHM", "ENDPOINTS", "NOTES"]

/** Endpoints of one backend in the list of all. */
const maxListed = 3

export const backends: Command = {
  name: "backends",
  description: [
    "Lists all backends, one line each, or shows one of them with all its endpoints. A backend is a port of a Service.",
    "Of one there is what its balancing has learned of its endpoints, and what was counted of each with --metrics-per-endpoint.",
    "With --output wide: all endpoints of each. With --json: the records in force, as the control API shows them (docs/wire.md); of one with counts and state of each endpoint.",
  ],
  formats: ["wide", "name"],
  run: (asked, terminal) =>
    withRunning(asked, async (inForce) => {
      const [name] = asked.operands
      if (asked.format === "name") return writeLines(terminal, await names(name, inForce))
      if (name !== undefined) return showOne(name, inForce, asked.json, terminal)
      const found = await inForce.backends()
      if (asked.json) writeJson(terminal, found)
      else writeLines(terminal, list(found, asked.format === "wide", terminal))
    }),
}

async function showOne(name: string, inForce: InForce, json: boolean, terminal: Terminal): Promise<void> {
  const backend = await one(name, inForce)
  const known = await inForce.endpoints(name)
  const shown = shownEndpoints(backend, known)
  const endpoints = shown.map(({ endpoint, ...more }) => ({ ...endpoint, ...more }))
  if (json) return writeJson(terminal, { ...backend, endpoints })
  const rows = endpointRows(shown, known.counts !== undefined)
  const [title = "", ...lines] = backendLines(backend).map(printable)
  writeLines(terminal, [title, ...(rows === undefined ? lines : aligned(rows).map((line) => `  ${line}`))])
}

/** @throws Failure `nothing` */
async function names(wanted: string | undefined, inForce: InForce): Promise<string[]> {
  const found = wanted === undefined ? await inForce.backends() : [await one(wanted, inForce)]
  return found.map(({ name }) => printable(name))
}

/** @throws Failure `nothing` */
async function one(name: string, inForce: InForce): Promise<BackendInForce> {
  const backend = await inForce.backend(name)
  if (backend !== undefined) return backend
  throw new Failure("nothing", `There is no backend "${name}": wick backends lists them`)
}

function list(all: readonly BackendInForce[], isWide: boolean, terminal: Terminal): string[] {
  const rows = all.map((backend) => [
    backend.name,
    algorithmOf(backend),
    listed(backend, isWide ? backend.endpoints.length : maxListed),
    backendNotes(backend).join("; "),
  ])
  const [title = "", ...lines] = aligned([head, ...rows])
  return [paint(terminal, "bold", title), ...lines]
}

function listed({ endpoints }: BackendInForce, max: number): string {
  if (endpoints.length === 0) return "none"
  const first = endpoints.slice(0, max).map(endpointText).join(" ")
  return endpoints.length > max ? `${first} and ${endpoints.length - max} more` : first
}
