// A wick whose ports lead to programs: each has the Service of its name.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "../../../../harness/ingress/passthrough.ts"
import { ingressClass, type Json, manifest, serviceOn, settings } from "../../../../harness/manifests.ts"
import { freePorts } from "../../../../harness/ports.ts"
import { until } from "../../../../harness/until.ts"
import { startWick, type Wick } from "../../../../harness/wick.ts"

/** A port of wick, and the one where its program listens. */
export interface Place {
  readonly port: number
  readonly own: number
}

/** What the entry of a port says besides its Service. */
export interface Entry {
  readonly protocol?: "tcp" | "udp"
  /** behind `demo/NAME:80`, as `::PROXY` */
  readonly suffix?: string
  /** in the place of the line */
  readonly json?: (service: string) => object
}

export class Served implements AsyncDisposable {
  readonly wick: Wick
  readonly dir: string
  readonly #places: ReadonlyMap<string, Place>

  private constructor(wick: Wick, dir: string, places: ReadonlyMap<string, Place>) {
    this.wick = wick
    this.dir = dir
    this.#places = places
  }

  /** @param keys of the ConfigMap of settings @param more objects, of the namespace demo */
  static async start(
    entries: Readonly<Record<string, Entry>>,
    keys: Readonly<Record<string, string>> = {},
    more: readonly Json[] = [],
  ): Promise<Served> {
    const names = Object.keys(entries)
    const ports = await freePorts(2 * names.length)
    const placed = names.map((name, at): readonly [string, Place] => {
      return [name, { port: ports[2 * at] ?? 0, own: ports[2 * at + 1] ?? 0 }]
    })
    const places = new Map(placed)
    const services = placed.flatMap(([name, { own }]) => serviceOf(name, own, entries[name]?.protocol))
    const lines = (protocol: "tcp" | "udp") =>
      placed.flatMap(([name, { port }]) => {
        const entry = entries[name] ?? {}
        return (entry.protocol ?? "tcp") === protocol ? [[port, lineOf(name, entry)]] : []
      })
    const objects = [
      ingressClass,
      // Sessions of UDP last until nobody says anything for a while: nginx does not wait for them when it ends.
      settings("demo/settings", { "worker-shutdown-timeout": "1s", ...keys }),
      settings("demo/tcp", Object.fromEntries(lines("tcp"))),
      settings("demo/udp", Object.fromEntries(lines("udp"))),
      ...services,
      ...more,
    ]
    const maps = { configmap: "settings", "tcp-services-configmap": "tcp", "udp-services-configmap": "udp" }
    const flags = Object.entries(maps).map(([flag, name]) => `--${flag}=demo/${name}`)
    const wick = await startWick({ manifests: { "all.yaml": manifest(...objects) }, flags })
    return new Served(wick, mkdtempSync(join(tmpdir(), "wick-programs-")), places)
  }

  place(name: string): Place {
    const place = this.#places.get(name)
    if (place === undefined) throw new Error(`There is no ${name}`)
    return place
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.wick.stop()
    rmSync(this.dir, { recursive: true, force: true })
  }
}

function lineOf(name: string, { suffix = "", json }: Entry): string {
  const service = `demo/${name}:80`
  return json === undefined ? service + suffix : JSON.stringify(json(service))
}

function serviceOf(name: string, own: number, protocol = "tcp"): readonly Json[] {
  const objects = serviceOn(`demo/${name}`, [own])
  if (protocol === "tcp") return objects
  return objects.map((object) =>
    JSON.parse(JSON.stringify(object).replaceAll('"protocol":"TCP"', '"protocol":"UDP"')),
  )
}

/** Whether somebody takes connections there. */
export async function listens(port: number): Promise<boolean> {
  using client = new Client(port)
  await Promise.race([client.closed, until("a connection", () => client.socket.readyState === "open")])
  return client.socket.readyState === "open"
}
