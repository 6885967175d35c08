// Which ways a run measures, from its command line: `--ways=ewma,chash --endpoints=10`. Without options all of them.
import { parseArgs } from "node:util"
import { type Case, few, many, manyTarget, type Way, ways } from "./sites.ts"

export interface Selection {
  /** `static` with few endpoints first; each other case is compared with `baseOf` it. */
  readonly cases: readonly Case[]
  /** Nothing was left out: the results may be written down. */
  readonly isWhole: boolean
  /** Folder for what callgrind wrote, and of the modules to measure, if given. */
  readonly keep: string | undefined
  readonly modules: string | undefined
}

const text = { type: "string" } as const

/** Reads the command line; ends the process with one sentence when it is wrong. */
export function select(): Selection {
  const { values } = parseArgs({ options: { ways: text, endpoints: text, keep: text, modules: text } })
  const names = values.ways?.split(",") ?? Object.keys(ways)
  const counts = values.endpoints?.split(",").map(Number) ?? [few, many]
  const unknown = names.find((name) => ways[name] === undefined)
  if (unknown !== undefined) refuse(`"${unknown}" is none of ${Object.keys(ways).join(", ")}`)
  if (counts.some((count) => !Number.isInteger(count) || count < 1 || count > 2000))
    refuse("endpoints are numbers from 1 to 2000")
  const isWhole = values.ways === undefined && values.endpoints === undefined
  const cases = withBases(counts.flatMap((count) => casesOf(names, count)))
  return { cases, isWhole, keep: values.keep, modules: values.modules }
}

/** What a case is compared with: another way, `static` unless it says so, few endpoints, the same requests. */
export function baseOf({ way, withCookies }: Case): Case {
  return caseOf(way.base ?? "static", few, withCookies)
}

export const label = ({ name, endpoints, withCookies }: Case) =>
  `${name}${withCookies && name === "static" ? " (requests with cookies)" : ""}, ${endpoints}`

/** The ratio to its base that a case may have; absent where none is asked for. */
export function targetOf({ way, endpoints }: Case): number | undefined {
  return endpoints === few ? way.target : way.settings && manyTarget
}

function casesOf(names: readonly string[], endpoints: number): Case[] {
  // What is compared with another way than `static` is about the request before it has an endpoint.
  const about = names.filter((name) => endpoints === few || ways[name]?.base === undefined)
  return about.map((name) => caseOf(name, endpoints, ways[name]?.isKnown ?? false))
}

function caseOf(name: string, endpoints: number, withCookies: boolean): Case {
  return { name, way: ways[name] as Way, endpoints, withCookies }
}

/** The bases in front, and nothing twice. */
function withBases(cases: readonly Case[]): Case[] {
  return [...new Map([...cases.map(baseOf), ...cases].map((one) => [label(one), one])).values()]
}

function refuse(sentence: string): never {
  process.stderr.write(`Cannot measure: ${sentence}\n`)
  process.exit(1)
}
