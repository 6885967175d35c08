import { annotationsPath } from "../../model/field-path.ts"
import type { Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import {
  type Condition,
  type Host,
  type HostClientCertificate,
  isPattern,
  type Route,
  type Script,
} from "../../model/route.ts"
import { routeSourceOf } from "../../model/route-source.ts"
import { shown } from "../../model/shown.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import { ProjectedList } from "../../support/incremental/projected-list.ts"
import type { Answer, ControlClient } from "./client.ts"

// nginx's PCRE decides which patterns compile. Routes with another are in the zones but passed over, and hosts whose clients' names should
// match it are closed, so that they keep nobody else waiting; here their owners are told.

/** As many as nginx judges at once, docs/wire.md section 1. */
const maxAtOnce = 16
/** What is remembered beyond the patterns in use: a change that is taken back need not be judged again. */
const maxSpare = 1000

interface PathUse {
  readonly kind: "path"
  readonly pattern: string
  readonly host: string
  readonly route: Route
}

interface NameUse {
  readonly kind: "match-cn"
  readonly pattern: string
  readonly host: string
  readonly by: HostClientCertificate
}

interface ConditionUse {
  readonly kind: "condition"
  readonly pattern: string
  readonly host: string
  readonly route: Route
  readonly condition: Condition
}

/** In a snippet. */
interface ScriptUse {
  readonly kind: "script"
  readonly pattern: string
  readonly host: string
  readonly by: Owner
  /** absent: of the whole host */
  readonly path: string | undefined
}

type Owner = Pick<Route, "namespace" | "ingressName">

/** A pattern, and where it stands. */
type Use = PathUse | NameUse | ConditionUse | ScriptUse

export class Patterns {
  readonly #client: Pick<ControlClient, "post">
  /** pattern → why it does not compile; null if it does */
  readonly #verdicts = new Map<string, string | null>()
  /** few hosts are others than at the last look */
  readonly #usesByHost = new ProjectedList(usesOf)
  /** most posts are about endpoints: hosts stay what they are */
  readonly #uses = new LastResult<{ readonly uses: readonly Use[]; readonly patterns: ReadonlySet<string> }>()

  constructor(client: Pick<ControlClient, "post">) {
    this.#client = client
  }

  /**
   * Judges the patterns that are new.
   *
   * @returns a Problem for each pattern that does not compile, and for each that nginx could not judge
   * @throws Failure `control-lost` when nginx does not answer
   */
  async problemsOf(hosts: readonly Host[]): Promise<readonly Problem[]> {
    const usesByHost = this.#usesByHost.of(hosts)
    const { uses, patterns } = this.#uses.of([usesByHost], () => {
      const uses = usesByHost.filter((uses) => uses.length > 0).flat()
      return { uses, patterns: new Set(uses.map(({ pattern }) => pattern)) }
    })
    this.#forgetOthers(patterns)
    await this.#judge([...patterns].filter((pattern) => !this.#verdicts.has(pattern)))
    return uses.flatMap((use) => this.#problemOf(use))
  }

  #problemOf(use: Use): Problem[] {
    const verdict = this.#verdicts.get(use.pattern)
    if (verdict === null) return []
    switch (use.kind) {
      case "path":
        return [pathProblem(use, verdict)]
      case "match-cn":
        return [nameProblem(use, verdict)]
      case "condition":
        return [conditionProblem(use, verdict)]
      case "script":
        return [scriptProblem(use, verdict)]
      default:
        return use satisfies never
    }
  }

  async #judge(patterns: readonly string[]): Promise<void> {
    for (let at = 0; at < patterns.length; at += maxAtOnce) {
      const some = patterns.slice(at, at + maxAtOnce)
      const verdicts = verdictsOf(await this.#postTwice(JSON.stringify(some)))
      some.forEach((pattern, index) => {
        const verdict = verdicts[index]
        if (verdict !== undefined) this.#verdicts.set(pattern, verdict)
      })
    }
  }

  /** A worker that ends takes its connections along. */
  #postTwice(body: string): Promise<Answer> {
    const post = () => this.#client.post("/configuration/patterns", body)
    return post().catch(post)
  }

  #forgetOthers(used: ReadonlySet<string>): void {
    if (this.#verdicts.size <= 2 * used.size + maxSpare) return
    for (const pattern of this.#verdicts.keys()) if (!used.has(pattern)) this.#verdicts.delete(pattern)
  }
}

const noUses: readonly Use[] = []

function usesOf({ host, routes, clientCertificate: by, script }: Host): readonly Use[] {
  const uses: Use[] = []
  for (const route of routes) {
    if (isPattern(route)) uses.push({ kind: "path", pattern: route.path, host, route })
    for (const condition of route.conditions ?? [])
      if (condition.match === "regex")
        uses.push({ kind: "condition", pattern: condition.value, host, route, condition })
    for (const pattern of patternsOf(route.script))
      uses.push({ kind: "script", pattern, host, by: route, path: route.path })
  }
  for (const pattern of patternsOf(script))
    if (script) uses.push({ kind: "script", pattern, host, by: script, path: undefined })
  if (by?.matchCn !== undefined) uses.push({ kind: "match-cn", pattern: by.matchCn, host, by })
  return uses.length === 0 ? noUses : uses
}

function patternsOf(script: Script | undefined): readonly string[] {
  return (script?.steps ?? []).flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]))
}

/** None when nginx could not judge: then it is asked again. */
function verdictsOf({ status, body }: Answer): readonly (string | null)[] {
  return status === 200 ? JSON.parse(body) : []
}

function pathProblem({ pattern, host, route }: PathUse, verdict: string | undefined): Problem {
  const regex = `path ${shown(pattern)} of host ${shown(host)}, a regular expression`
  return verdict === undefined
    ? problem(route, "spec.rules", "pattern-unknown", `Cannot check ${regex}: ${unknown}`)
    : problem(route, "spec.rules", "bad-pattern", `Cannot serve ${regex} that does not compile: ${verdict}`)
}

function conditionProblem(
  { pattern, host, route, condition }: ConditionUse,
  verdict: string | undefined,
): Problem {
  const regex = `the condition on ${subjectOf(condition)} of path ${shown(route.path)} of host ${shown(host)}, the regular expression ${shown(pattern)}`
  return verdict === undefined
    ? problem(route, "spec.rules", "pattern-unknown", `Cannot check ${regex}: ${unknown}`)
    : problem(
        route,
        "spec.rules",
        "bad-pattern",
        `Cannot serve requests by ${regex}: it does not compile, ${verdict}; the path is served to none of them`,
      )
}

function subjectOf({ of, name = "" }: Condition): string {
  if (of === "method" || of === "scheme") return `the ${of}`
  return `${of === "header" ? "header" : "query parameter"} ${shown(name)}`
}

function nameProblem({ pattern, host, by }: NameUse, verdict: string | undefined): Problem {
  const regex = `${shown(pattern)} of annotation "auth-tls-match-cn" for host ${shown(host)}`
  const field = annotationsPath
  if (verdict === undefined) return problem(by, field, "pattern-unknown", `Cannot check ${regex}: ${unknown}`)
  const message = `Cannot use ${regex}: it does not compile, ${verdict}; requests get 403`
  return problem(by, field, "bad-pattern", message)
}

function scriptProblem({ pattern, host, by, path }: ScriptUse, verdict: string | undefined): Problem {
  const [place, what] = path === undefined ? ["", "the host"] : [`path ${shown(path)} of `, "the path"]
  const regex = `the regular expression ${shown(pattern)} of a snippet for ${place}host ${shown(host)}`
  if (verdict === undefined)
    return problem(by, annotationsPath, "pattern-unknown", `Cannot check ${regex}: ${unknown}`)
  const message = `Cannot use ${regex}: it does not compile, ${verdict}; ${what} is answered 500`
  return problem(by, annotationsPath, "bad-pattern", message)
}

const unknown = "nginx does not say whether it compiles"

function problem(owner: Owner, field: string, code: ProblemCode, message: string): Problem {
  return { object: routeSourceOf(owner), field, code, message }
}
