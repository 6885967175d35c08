import { afterAll, beforeAll, beforeEach } from "vitest"
import { type Asked, Echo, type Told } from "../../../harness/echo.ts"
import type { Question } from "../../../harness/http.ts"
import { ingress, type Json, serviceOn } from "../../../harness/manifests.ts"
import { Site } from "./site.ts"

export type Annotations = Readonly<Record<string, string>>

const url = "http://auth.demo.svc.cluster.local/verify"
export const asks = { "auth-url": url }

/** wick with an application and an authentication service, for the tests of one file. */
export function authSite(): AuthSite {
  const at = new AuthSite()
  beforeAll(() => at.start())
  afterAll(() => at.stop())
  beforeEach(() => at.reset())
  return at
}

class AuthSite {
  readonly service = new Echo()
  readonly backend = new Echo()
  #site: Site | undefined

  get site(): Site {
    if (this.#site === undefined) throw new Error("The site has not been started")
    return this.#site
  }

  async start(): Promise<void> {
    await Promise.all([this.service.start(), this.backend.start()])
    this.#site = await Site.start([])
  }

  async stop(): Promise<void> {
    await this.#site?.[Symbol.asyncDispose]()
    await this.service[Symbol.asyncDispose]()
    await this.backend[Symbol.asyncDispose]()
  }

  reset(): void {
    this.says({})
    this.backend.answer = () => ({ body: "backend" })
    this.service.asked.length = 0
    this.backend.asked.length = 0
  }

  /** What the service answers from now on. */
  readonly says = (told: Told | ((asked: Asked) => Told)): void => {
    this.service.answer = typeof told === "function" ? told : () => told
  }

  /** Serves these objects, and the two Services. */
  readonly put = (...objects: readonly Json[]): Promise<void> => {
    const [app, auth] = [this.backend.port, this.service.port]
    return this.site.put(...serviceOn("demo/app", [app]), ...serviceOn("demo/auth", [auth]), ...objects)
  }

  /** The application's Ingress, which asks the service. */
  readonly protect = (annotations: Annotations = {}, ...others: readonly Json[]): Promise<void> =>
    this.put(ingress("demo/app", "foo.test/ → app:80", { ...asks, ...annotations }), ...others)

  readonly get = (path = "/", question: Question = {}) => this.site.get(path, question)

  readonly status = async (path?: string, question?: Question) => (await this.get(path, question)).status
}
