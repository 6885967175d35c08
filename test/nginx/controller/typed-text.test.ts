// Directives of a location and of a host's server block, as they are printed into nginx.conf among all others: what they do, and to whom.
import { expect, test } from "vitest"
import { locationOf } from "../../../controller/core/declared/locations.ts"
import { liveChange } from "../../../controller/core/plan/change.ts"
import type { Model } from "../../../controller/model/model.ts"
import type { ServerBlock } from "../../../controller/model/server-block.ts"
import type { TypedDirective } from "../../../controller/model/typed-directive.ts"
import { startBackends } from "../../../harness/backends.ts"
import { ask } from "../../../harness/http.ts"
import { ingress, ingressClass, type Json, serviceOn } from "../../../harness/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../../harness/translation.ts"
import { type LocalPlane, localPlane } from "../../support/local-plane.ts"

const directive = (line: string): TypedDirective => {
  const [name = "", ...args] = line.split(" ")
  return { name, args }
}

function modelOf({ flags }: LocalPlane, port: number, hosts: readonly string[]): Model {
  const rules = hosts.map((host) => `${host}/ → web:80`)
  const objects: Json[] = [ingressClass, ingress("shop/web", rules), ...serviceOn("shop/web", [port])]
  const changes = objects.flatMap((object, at) => changesOf(object, `all.yaml:${at}`))
  return translationOf(changes, optionsOf(["--manifests=x", ...flags])).model
}

/** The same with text in the location of a host's routes. */
function withText({ fixed, live }: Model, name: string, text: readonly TypedDirective[]): Model {
  const location = locationOf({ text })
  const hosts = live.hosts.map((host) => {
    if (host.host !== name) return host
    return { ...host, routes: host.routes.map((route) => ({ ...route, location: location.name })) }
  })
  return { fixed: { ...fixed, locations: [...fixed.locations, location] }, live: { ...live, hosts } }
}

function withBlock({ fixed, live }: Model, hosts: readonly string[], text: readonly TypedDirective[]): Model {
  const source = { kind: "Ingress", namespace: "shop", name: "web" }
  const own: ServerBlock[] = [{ name: "server-1", hosts, text, source }]
  return { fixed: { ...fixed, servers: { own, shared: [] } }, live }
}

async function serve({ plane }: LocalPlane, { fixed, live }: Model): Promise<void> {
  await plane.prepare(fixed)
  await plane.post(live, liveChange(plane.live, live))
  await plane.load(fixed)
}

test("text of a location is in force for its routes, and for no others", async () => {
  await using backends = await startBackends("web")
  await using local = await localPlane()
  const hosts = ["plain.test", "text.test"]
  const text = [{ name: "sub_filter", args: ["web", "'spider'; } $host"] }, directive("sub_filter_types *")]
  const model = modelOf(local, backends[0]?.port ?? 0, hosts)
  await serve(local, withText(model, "text.test", text))
  const bodyOf = async (host: string) => (await ask({ port: local.ports.http }, { host })).body
  expect(await bodyOf("plain.test")).toBe("web")
  expect(await bodyOf("text.test")).toBe("'spider'; } text.test")
})

test("text of a host's server block is in force before its routes are known, and for no other host", async () => {
  await using backends = await startBackends("web")
  await using local = await localPlane()
  const model = modelOf(local, backends[0]?.port ?? 0, ["plain.test", "own.test"])
  await serve(local, withBlock(model, ["own.test"], [directive("large_client_header_buffers 4 32k")]))
  // The host comes first: until then nginx has the first block's buffers.
  const statusOf = async (host: string, size: number) =>
    (await ask({ port: local.ports.http }, { headers: { host, "x-large": "x".repeat(size) } })).status
  expect(await statusOf("own.test", 10)).toBe(200)
  expect(await statusOf("own.test", 12_000)).toBe(200)
  expect(await statusOf("plain.test", 10)).toBe(200)
  expect(await statusOf("plain.test", 12_000)).toBe(400)
})
