// What the demo plays on: three small HTTP services, a directory of manifests, wick with its nginx, and traffic all the while.

import { type Backend, type Backends, startBackends } from "../harness/backends.ts"
import { faultyBalancer } from "../harness/faulty.ts"
import { type Load, startLoad } from "../harness/load.ts"
import { ingress, ingressClass, manifest, serviceOn } from "../harness/manifests.ts"
import { takePort } from "../harness/ports.ts"
import { startWick, type Wick } from "../harness/wick.ts"

/** Hosts that are there from the beginning; traffic goes to them through every change. */
export const hosts = ["shop.demo", "blog.demo", "api.demo"] as const

export interface Stage extends AsyncDisposable {
  readonly wick: Wick
  /** shop-1 … shop-4, blog-1, blog-2, api-1, api-2; shop-4 is kept in reserve. */
  readonly backends: Backends
  readonly traffic: Load
}

export async function setStage(): Promise<Stage> {
  const backends = await startBackends(
    "shop-1",
    "shop-2",
    "shop-3",
    "shop-4",
    "blog-1",
    "blog-2",
    "api-1",
    "api-2",
  )
  const manifests = { "class.yaml": manifest(ingressClass), ...serviceFiles(backends), ...ingressFiles() }
  const wick = await startWick({
    manifests,
    port: await firstFree(8080),
    flags: [`--balancer=${await faultyBalancer()}`],
    detached: true,
  })
  const traffic = startLoad({
    port: wick.port,
    connections: 4,
    pauseMs: 5,
    question: (n) => ({ host: hosts[n % hosts.length] ?? "" }),
  })
  const leave = async () => {
    await traffic.stop()
    await wick.stop()
    await backends.stop()
  }
  return { wick, backends, traffic, [Symbol.asyncDispose]: leave }
}

/** The manifests of one Service: what the demo rewrites when an endpoint comes or goes. */
export function serviceFile(name: string, endpoints: readonly Backend[]): string {
  return manifest(
    ...serviceOn(
      `demo/${name}`,
      endpoints.map((backend) => backend.port),
    ),
  )
}

function serviceFiles(backends: Backends): Record<string, string> {
  const of = (name: string, count: number) =>
    backends.filter((backend) => backend.name.startsWith(name)).slice(0, count)
  return {
    "service-shop.yaml": serviceFile("shop", of("shop-", 3)),
    "service-blog.yaml": serviceFile("blog", of("blog-", 2)),
    "service-api.yaml": serviceFile("api", of("api-", 2)),
  }
}

function ingressFiles(): Record<string, string> {
  const names = hosts.map((host) => host.split(".")[0] ?? "")
  return Object.fromEntries(
    names.map((name) => [
      `ingress-${name}.yaml`,
      manifest(ingress(`demo/${name}`, `${name}.demo/ → ${name}:80`)),
    ]),
  )
}

/** The first port from `port` on that nobody uses. */
async function firstFree(port: number): Promise<number> {
  for (let candidate = port; candidate < port + 100; candidate += 1) {
    if (await takePort(candidate)) return candidate
  }
  throw new Error(
    `Ports ${port} to ${port + 99} are all in use: stop something that listens there and try again`,
  )
}
