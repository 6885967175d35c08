// OCSP of certificates that TCP services alone use.
import { expect, test } from "vitest"
import { secret, settings } from "../../../harness/manifests.ts"
import { rootAuthority } from "../../../harness/pki.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { answeringWith, ocspResponse, Responder } from "../../support/ocsp.ts"
import { stapled } from "../../support/stapled.ts"
import { Site } from "./site.ts"

test("a certificate of a TCP service alone is shown with its staple, as long as enable-ocsp is on", async () => {
  const [port = 0] = await freePorts(1)
  await using responder = await Responder.start(() => {})
  await using site = await Site.start(["a"], { flags: ["--tcp-services-configmap=demo/tcp"] })
  const ca = await (await rootAuthority()).intermediate()
  const leaf = await ca.issue({ names: ["db.test"], ocsp: responder.url })
  const response = await ocspResponse({ about: leaf })
  responder.answering = answeringWith(response)
  const staple = () => stapled({ port, servername: "db.test" })

  site.configure({ "enable-ocsp": "true" })
  const entry = JSON.stringify({ service: "demo/a:80", tls: { secret: "demo/db" } })
  await site.put(
    settings("demo/tcp", { [port]: entry }),
    secret("demo/db", leaf.tlsData()),
    ...site.service("a", "a"),
  )
  await until("the staple", async () => {
    // Nobody listens there at first.
    const shown = await staple().catch(() => undefined)
    return shown?.equals(response) === true
  })

  site.configure({})
  await until("no staple", async () => (await staple()) === undefined)
  expect(responder.requests.length).toBeGreaterThan(0)
})
