import type { PostedLevel, PostedReplacement, PostedScript, PostedStep } from "../output/control/posted.ts"
import { leadsTo, type StepsRun } from "./steps-run.ts"

// What a snippet has become, line by line: its steps as nginx writes them, and what is set where they lead.

type Script = Pick<PostedScript, "steps" | "levels">

/**
 * Steps in their order, what an `if` has inside further to the right, and the settings that hold from the beginning.
 *
 * @param run what nginx has gone through of them for a request
 */
export function programOf({ steps = [], levels = [] }: Script, run?: StepsRun): readonly string[] {
  const [first] = levels
  const held = run && new Set(run.held)
  const end = run && leadsTo(run)
  return [
    ...(first === undefined ? [] : settingsOf(first)),
    ...linesOf(steps, levels, 0, held),
    ...(end === undefined ? [] : [end]),
  ]
}

/** @param from the place of the first among all steps */
function linesOf(
  steps: readonly PostedStep[],
  levels: readonly PostedLevel[],
  from: number,
  held: ReadonlySet<number> | undefined,
): readonly string[] {
  const lines: string[] = []
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at] as PostedStep
    lines.push(held?.has(from + at) ? `${textOf(step)} — holds` : textOf(step))
    if (step.op !== "if") continue
    const level = step.level === undefined ? undefined : levels[step.level]
    const inside = [
      ...(level === undefined ? [] : settingsOf(level)),
      ...linesOf(steps.slice(at + 1, at + 1 + (step.skip ?? 0)), levels, from + at + 1, held),
    ]
    lines.push(...inside.map((line) => `  ${line}`))
    at += step.skip ?? 0
  }
  return lines
}

function textOf({ op, name, value = "", pattern = "", against = "", ...step }: PostedStep): string {
  switch (op) {
    case "set":
      return `set $${name} ${quoted(value)}`
    case "if":
      return `if ${value}${conditions[step.test ?? "filled"]}${quotedIf(step.test === "equal" || step.test === "unequal" ? against : pattern)}`
    case "rewrite":
      return `rewrite ${quoted(pattern)} ${quoted(value)}${flagText(step.flag)}`
    case "return":
      return `return ${step.code ?? 0}${quotedIf(value)}`
    case "break":
      return "break"
    default:
      return op satisfies never
  }
}

const conditions: Readonly<Record<NonNullable<PostedStep["test"]>, string>> = {
  filled: "",
  equal: " =",
  unequal: " !=",
  match: " ~",
  match_any_case: " ~*",
  mismatch: " !~",
  mismatch_any_case: " !~*",
}

function flagText(flag: PostedStep["flag"]): string {
  return flag === undefined || flag === "none" ? "" : ` ${flag}`
}

function quoted(text: string): string {
  return /^[^\s;{}"']+$/.test(text) ? text : JSON.stringify(text)
}

function quotedIf(text: string): string {
  return text === "" ? "" : ` ${quoted(text)}`
}

/** What a level sets, by name: values are in the record. */
function settingsOf(level: PostedLevel): readonly string[] {
  return [
    listed(
      "response headers",
      level.response_headers?.map(({ op, name }) => `${op} ${name}`),
    ),
    listed(
      "headers to the backend",
      level.upstream_headers?.map(({ name }) => name),
    ),
    listed(
      "headers of the request",
      level.input_headers?.map(({ op, name }) => `${op} ${name}`),
    ),
    listed("hidden", level.hides),
    listed("passed on", level.passes),
    listed(
      "error pages",
      level.error_pages?.map(({ codes, to }) => `${codes.join(" ")} ${to}`),
    ),
    listed("redirects of the backend", level.redirects?.map(replaced)),
    listed("cookie domains", level.cookie_domains?.map(replaced)),
    listed("cookie paths", level.cookie_paths?.map(replaced)),
    listed(
      "cookie flags",
      level.cookie_flags?.map(({ cookie, pattern }) => cookie ?? `~${pattern}`),
    ),
    listed(
      "limits",
      [...(level.request_limits ?? []), ...(level.connection_limits ?? [])].map(({ zone }) => zone),
    ),
    listed("expires", level.expires === undefined ? undefined : [level.expires]),
  ].flatMap((line) => line ?? [])
}

function listed(what: string, names: readonly string[] | undefined): string | undefined {
  return names === undefined || names.length === 0 ? undefined : `${what}: ${names.join(", ")}`
}

function replaced({ from, pattern, to }: PostedReplacement): string {
  return `${from ?? `~${pattern}`} → ${to}`
}
