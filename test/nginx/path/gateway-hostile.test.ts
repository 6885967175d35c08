// Hostile texts in every place of objects of the Gateway API, all at once: nginx takes the configuration, has none of them in it, and serves the others.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { tlsData } from "../../../harness/certificates.ts"
import { ask } from "../../../harness/http.ts"
import { type Json, listOf, manifest, secret, serviceOn } from "../../../harness/manifests.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { gateway, gatewayClass, route } from "../../support/gateway-objects.ts"
import { hostile } from "../../support/hostile.ts"
import { hostileObjects, places, withText } from "../../support/hostile-gateway.ts"
import { triesAll } from "../../support/runs.ts"

// With hyphens, as the random names of temporary directories, which stand in nginx.conf too, have none.
const marker = "z-q-x"

// A lone surrogate is no UTF-8, so no file can hold it.
const texts = hostile
  .filter((text) => text.isWellFormed() && text.length < 100)
  .map((text) => `${marker}${text}`)

const every = triesAll ? 1 : 9

let backends: Backends
let wick: Wick
let port = 0

/** Each place with some of the texts; no two objects have one name. */
function attacks(objects: Readonly<Record<string, Json>>): readonly Json[] {
  let made = 0
  return Object.entries(objects).flatMap(([kind, object]) =>
    places(object)
      .filter(([first]) => first === "spec")
      .flatMap((place, nth) =>
        texts
          .filter((_, at) => (at + nth) % every === 0)
          .map((text) => {
            made += 1
            const metadata = { ...(object.metadata as Json), name: `${kind.toLowerCase()}-${made}` }
            return { ...(withText(object, place, text) as Json), metadata }
          }),
      ),
  )
}

beforeAll(async () => {
  backends = await startBackends("web")
  const [http = 0, https = 0, tls = 0, stream = 0, more = 0] = await freePorts(5)
  port = http
  const { Gateway: _, ...others } = hostileObjects({ http, https, tls, stream, more })
  const good = [
    gatewayClass,
    gateway(
      "shop/edge",
      [
        { port: http, protocol: "HTTP" },
        { port: tls, protocol: "TLS", tls: { mode: "Passthrough" } },
        { port: stream, protocol: "TCP" },
        { port: stream, protocol: "UDP" },
      ],
      0,
      {
        spec: { allowedListeners: { namespaces: { from: "All" } } },
      },
    ),
    route("HTTPRoute", "shop/good", "shop/edge", { hostnames: ["good.test"] }),
    ...serviceOn(
      "shop/web",
      backends.map((backend) => backend.port),
    ),
    secret("shop/pair", tlsData),
  ]
  const addresses = Array.from({ length: 60 }, (_, at) => `127.0.0.${at + 1}`).join()
  const { Gateway } = hostileObjects({ http, https, tls, stream, more })
  wick = await startWick({
    manifests: {
      "good.yaml": manifest(...good),
      "hostile.json": listOf(attacks({ ...others, ...(Gateway && { Gateway }) })),
    },
    flags: [`--gateway-addresses=${addresses}`],
  })
})
afterAll(async () => {
  await wick?.stop()
  await backends?.stop()
})

test("nginx runs with them, and serves who is not hostile", async () => {
  await until("the good route", async () => (await ask({ port }, { host: "good.test" })).status === 200)
  expect((await ask({ port }, { host: "good.test" })).body).toContain("web")
  expect(await wick.metric("nginx_ingress_controller_config_last_reload_successful")).toBe(1)
  expect(readFileSync(join(wick.runtimeDir, "nginx.conf"), "utf8")).not.toContain(marker)
})
