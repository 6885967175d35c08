import type { Problem } from "../model/problem.ts"
import type { Host, Route } from "../model/route.ts"
import { shown } from "../model/shown.ts"
import type { Answer, ControlClient } from "./client.ts"

// nginx's PCRE decides which patterns compile. Routes with another are in the zones but passed over, so that they keep nobody else
// waiting; here their owners are told.

/** As many as nginx judges at once, docs/wire.md section 1. */
const mostAtOnce = 16
/** What is remembered beyond the patterns in use: a change that is taken back need not be judged again. */
const mostSpare = 1000

interface Regex {
  readonly host: string
  readonly route: Route
}

export class Patterns {
  readonly #client: Pick<ControlClient, "post">
  /** pattern → why it does not compile; null if it does */
  readonly #verdicts = new Map<string, string | null>()

  constructor(client: Pick<ControlClient, "post">) {
    this.#client = client
  }

  /**
   * Judges the patterns that are new.
   *
   * @returns a Problem for each route that nginx passes over, and for each whose pattern it could not judge
   * @throws Failure `control-lost` when nginx does not answer
   */
  async problemsOf(hosts: readonly Host[]): Promise<readonly Problem[]> {
    const regexes = regexesOf(hosts)
    const patterns = new Set(regexes.map(({ route }) => route.path))
    this.#forgetOthers(patterns)
    await this.#judge([...patterns].filter((pattern) => !this.#verdicts.has(pattern)))
    return regexes.flatMap((regex) => this.#problemOf(regex))
  }

  #problemOf({ host, route }: Regex): Problem[] {
    const verdict = this.#verdicts.get(route.path)
    if (verdict === null) return []
    const regex = `path ${shown(route.path)} of host ${shown(host)}, a regular expression`
    return [
      verdict === undefined
        ? problem(route, "pattern-unknown", `Cannot check ${regex}: nginx does not say whether it compiles`)
        : problem(route, "bad-pattern", `Cannot serve ${regex} that does not compile: ${verdict}`),
    ]
  }

  async #judge(patterns: readonly string[]): Promise<void> {
    for (let at = 0; at < patterns.length; at += mostAtOnce) {
      const some = patterns.slice(at, at + mostAtOnce)
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
    if (this.#verdicts.size <= 2 * used.size + mostSpare) return
    for (const pattern of this.#verdicts.keys()) if (!used.has(pattern)) this.#verdicts.delete(pattern)
  }
}

function regexesOf(hosts: readonly Host[]): Regex[] {
  const regexes: Regex[] = []
  for (const { host, routes } of hosts) {
    for (const route of routes) if (route.match === "regex") regexes.push({ host, route })
  }
  return regexes
}

/** None when nginx could not judge: then it is asked again. */
function verdictsOf({ status, body }: Answer): readonly (string | null)[] {
  return status === 200 ? JSON.parse(body) : []
}

function problem({ namespace, ingressName }: Route, code: string, message: string): Problem {
  return { object: { kind: "Ingress", namespace, name: ingressName }, field: "spec.rules", code, message }
}
