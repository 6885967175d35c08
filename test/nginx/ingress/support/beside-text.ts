// Routes with settings of levels, and beside them nginx's own locations with the same directives as text, each in front of the same backend.
import { headersMore } from "../../../../harness/headers-more.ts"
import { type Ingress, startIngress } from "../../../../harness/ingress/ingress.ts"
import { levelOf, type Setting, textOfAll } from "../../../../harness/ingress/levels.ts"
import { scriptOf } from "../../../../harness/ingress/script-records.ts"
import { rawRequest } from "./raw.ts"

export interface Case {
  /** Directives of the location that are no settings. */
  readonly location: string
  readonly settings: readonly Setting[]
  /** The whole script of the route, and the same as text, in the place of `settings`. */
  readonly script?: Buffer
  readonly text?: string
}

export interface BesideTextOptions {
  /** Inside `http`. */
  readonly http?: string
  readonly cases: readonly Case[]
  /** Inside both server blocks. */
  readonly server?: string
  /** Named locations of `server`: for ours, routes of each host. */
  readonly named?: readonly string[]
  /** Parameters of both `listen` lines. */
  readonly listen?: string
}

/** A request; by default a GET without anything more. */
export interface Asked {
  readonly method?: string
  readonly version?: "1.0" | "1.1"
  /** Lines. */
  readonly headers?: readonly string[]
  readonly body?: string
}

/** Ours and nginx's, each as lines. */
export type Answers = readonly [readonly string[], readonly string[]]

export class BesideText implements AsyncDisposable {
  readonly ingress: Ingress

  private constructor(ingress: Ingress) {
    this.ingress = ingress
  }

  static async start({
    http,
    cases,
    server = "",
    named = [],
    listen = "",
  }: BesideTextOptions): Promise<BesideText> {
    const texts = cases.map(
      ({ location, settings, text }, at) =>
        `location /case-${at}/ { ${location} ${text ?? textOfAll(settings)} }`,
    )
    const ingress = await startIngress({
      main: `load_module ${await headersMore()};`,
      http: (site) =>
        `${http ?? ""} server { listen 127.0.0.1:${site.ports[1]} ${listen}; ${server} ${texts.join("\n")} }`,
      locations: `${cases.map(({ location }, at) => `location @case-${at} { ${location} }`).join("\n")}
        location @page { ingress_route_page; } ${server}`,
      listen,
      morePorts: 1,
    })
    const places = named.map((name) => ({ path: `@${name}`, match: "exact", location: name }) as const)
    for (const [at, { settings, script = scriptOf([], [levelOf(settings)]) }] of cases.entries()) {
      await ingress.route(`case-${at}.test`, [
        ...places,
        { path: `/case-${at}`, location: `case-${at}`, script },
      ])
    }
    return new BesideText(ingress)
  }

  /** Our port, and that of nginx's own locations. */
  get ports(): readonly [number, number] {
    return [this.ingress.port, this.ingress.nginx.site.ports[1] ?? 0]
  }

  /** Both answers to a request, of the same second if they say when they were made: status line, headers and body. */
  async ask(
    at: number,
    path: string,
    { method = "GET", version = "1.1", headers = [], body = "" }: Asked = {},
  ): Promise<Answers> {
    const own = [`Host: case-${at}.test`, "Connection: close", ...headers]
    const question = [`${method} /case-${at}${path} HTTP/${version}`, ...own, "", body].join("\r\n")
    for (let tries = 0; tries < 50; tries += 1) {
      const answers = await Promise.all(this.ports.map((port) => rawRequest(port, question)))
      const [ours = [], nginxs = []] = answers.map(linesOf)
      if (dateOf(ours) === dateOf(nginxs)) return [ours, nginxs]
    }
    throw new Error("No two answers were made in the same second")
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.ingress[Symbol.asyncDispose]()
  }
}

/** The status line, then headers in the order of their names, which are in small letters; those of one name stay in theirs. */
function linesOf(response: string): readonly string[] {
  const [head = "", body = ""] = response.split("\r\n\r\n")
  const [status = "", ...headers] = head.split("\r\n")
  const small = headers.map((line) => line.replace(/^[^:]*/, (name) => name.toLowerCase()))
  const nameOf = (line: string) => line.slice(0, line.indexOf(":"))
  return [
    status,
    ...small.sort((a, b) => Buffer.compare(Buffer.from(nameOf(a)), Buffer.from(nameOf(b)))),
    body,
  ]
}

const dateOf = (lines: readonly string[]) => lines.find((line) => /^date: .* GMT$/.test(line))
