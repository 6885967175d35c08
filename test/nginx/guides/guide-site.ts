// wick with what guides show, and a backend for each Service that they name, which answers with its name.

import { type Json, service, slice } from "../../../harness/manifests.ts"
import { type Authority, rootAuthority } from "../../../harness/pki.ts"
import { objectsUnder } from "../../support/examples.ts"
import { lackingBeside, servicesOf } from "../../support/surroundings.ts"
import { Site, type SiteOptions } from "../path/site.ts"

type Settings = Readonly<Record<string, string>>

/** A place in a page. */
export interface Place {
  readonly page: string
  readonly heading: string
}

export interface GuideOptions extends SiteOptions {
  /** backends beside one for each Service */
  readonly more?: readonly string[]
}

export class GuideSite implements AsyncDisposable {
  readonly site: Site
  /** Vouches for the certificates of hosts, and may for those of clients. */
  readonly authority: Authority
  #hasSettings = false

  private constructor(site: Site, authority: Authority) {
    this.site = site
    this.authority = authority
  }

  /** @param places of which the Services get backends */
  static async start(
    places: readonly Place[],
    { more = [], ...options }: GuideOptions = {},
  ): Promise<GuideSite> {
    const ingresses = places.flatMap(({ page, heading }) => ingressesUnder(page, heading))
    const names = new Set(ingresses.flatMap(servicesOf).map(({ name }) => plainName(name)))
    const [site, authority] = await Promise.all([Site.start([...names, ...more], options), rootAuthority()])
    return new GuideSite(site, authority)
  }

  /** Puts what the page shows under the heading in the place of all that was there, with what it takes to be there. */
  async apply(page: string, heading: string, ...more: readonly Json[]): Promise<void> {
    const objects = objectsUnder(page, heading).filter(isServed)
    const shown = [...objects.filter(({ kind }) => kind !== "ConfigMap"), ...more]
    await this.#configure(objects.find(({ kind }) => kind === "ConfigMap")?.data as Settings | undefined)
    const lacking = await lackingBeside(shown, this.authority, (name) => this.#endpoints(name))
    await this.site.put(...shown, ...lacking)
  }

  /** A Service of this port, of which this port of the machine is the endpoint. */
  served(name: string, port: number, endpoint: number): Json[] {
    return [service(`demo/${name}`, port), slice(`demo/${name}`, ["127.0.0.1"], endpoint)]
  }

  /** A ConfigMap that a page shows is the controller's. */
  async #configure(data: Settings | undefined): Promise<void> {
    if (data !== undefined || this.#hasSettings) await this.site.reconfigure(data ?? {})
    this.#hasSettings = data !== undefined
  }

  #endpoints(name: string): Json[] {
    return [slice(name, ["127.0.0.1"], this.site.backend(plainName(name)).port)]
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.site[Symbol.asyncDispose]()
  }
}

function ingressesUnder(page: string, heading: string): Json[] {
  return objectsUnder(page, heading).filter(({ kind }) => kind === "Ingress")
}

/** Objects of others are not for wick. */
function isServed({ apiVersion }: Json): boolean {
  return ["v1", "networking.k8s.io/v1", "discovery.k8s.io/v1"].includes(apiVersion as string)
}

function plainName(name: string): string {
  return name.split("/")[1] ?? name
}
