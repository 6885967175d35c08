// The regression tests of the OWASP Core Rule Set, as its project writes them: YAML, a file for each rule.
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { parse } from "yaml"
import { type Input, requestOf } from "./request.ts"

/** What is to be seen of one request. */
export interface Expected {
  readonly status?: number
  /** Numbers of rules that the log has to name. */
  readonly ids: readonly number[]
  /** Those that it must not name. */
  readonly noIds: readonly number[]
  readonly match?: RegExp
  readonly noMatch?: RegExp
  /** The server may close the connection without an answer. */
  readonly mayFail: boolean
}

export interface Stage {
  readonly bytes: Buffer
  readonly expected: Expected
}

/** One test, named as the project names it: "920100-4" is the fourth of rule 920100. */
export interface Case {
  readonly name: string
  readonly stages: readonly Stage[]
}

interface Output {
  readonly status?: number
  readonly expect_error?: boolean
  readonly log?: {
    readonly expect_ids?: readonly number[]
    readonly no_expect_ids?: readonly number[]
    readonly match_regex?: string
    readonly no_match_regex?: string
  }
}
interface TestFile {
  readonly rule_id: number
  readonly tests: readonly {
    readonly test_id: number
    readonly stages: readonly { readonly input: Input; readonly output: Output }[]
  }[]
}

/** All tests below a folder, in the order of their rules. */
export function casesIn(folder: string): Case[] {
  return globSync("*/*.yaml", { cwd: folder })
    .toSorted((a, b) => basename(a).localeCompare(basename(b)))
    .flatMap((path) => casesOf(readFileSync(join(folder, path), "utf8")))
}

function casesOf(text: string): Case[] {
  const file = parse(text) as TestFile | null
  return (file?.tests ?? []).map(({ test_id, stages }) => ({
    name: `${file?.rule_id}-${test_id}`,
    stages: stages.map(({ input, output }) => ({ bytes: requestOf(input), expected: expectedOf(output) })),
  }))
}

function expectedOf({ status, expect_error = false, log = {} }: Output): Expected {
  return {
    ...(status === undefined ? {} : { status }),
    ids: log.expect_ids ?? [],
    noIds: log.no_expect_ids ?? [],
    ...(log.match_regex === undefined ? {} : { match: new RegExp(log.match_regex) }),
    ...(log.no_match_regex === undefined ? {} : { noMatch: new RegExp(log.no_match_regex) }),
    mayFail: expect_error,
  }
}
