// Wrong use of `ingress_certificates` is refused by `nginx -t`, and the message says what is wrong.
import { beforeAll, expect, test } from "vitest"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import { checkConf } from "../../../harness/nginx.ts"
import { type Identity, selfSignedIdentity } from "../../../harness/pki.ts"
import { tlsConf } from "./support/tls.ts"

let certificate: Identity
let writer: string

beforeAll(async () => {
  certificate = await selfSignedIdentity({ cn: "static" })
  writer = await zoneWriter()
})

const tls = "listen unix:other ssl;"

test.each([
  [`server { ${tls} ingress_certificates certificates; }`, "ok"],
  [`server { ${tls} ingress_certificates certificates reject_unknown; }`, "ok"],
  [`server { ${tls} ingress_certificates; }`, 'invalid number of arguments in "ingress_certificates"'],
  [
    `server { ${tls} ingress_certificates certificates reject; }`,
    'invalid parameter "reject" in "ingress_certificates"',
  ],
  [
    `server { ${tls} ingress_certificates certificates; ingress_certificates certificates; }`,
    '"ingress_certificates" directive is duplicate',
  ],
  ["ingress_certificates certificates;", '"ingress_certificates" directive is not allowed here'],
  [
    `server { ${tls} location / { ingress_certificates certificates; } }`,
    '"ingress_certificates" directive is not allowed here',
  ],
  [
    `server { ${tls} ingress_certificates absent; }`,
    '"ingress_certificates" uses the zone "absent", which no "shm_kv" in "wasm" declares',
  ],
  [
    `server { ${tls} ssl_certificate $host.pem; ssl_certificate_key $host.pem; ingress_certificates certificates; }`,
    '"ssl_certificate" with variables and "ingress_certificates" cannot be in one server block',
  ],
])("%s", async (text, message) => {
  const { ok, output } = await checkConf((site) => tlsConf(site, writer, { certificate, http: text }))
  expect(ok ? "ok" : output).toContain(message)
})

test("a server block without a certificate of its own cannot have it", async () => {
  const { output } = await checkConf((site) => ({
    main: `load_module ${site.modules}/ngx_http_ingress_module.so; load_module ${writer};`,
    http: "zone_writer certificates 1m; server { listen unix:other; ingress_certificates certificates; }",
  }))
  expect(output).toContain('"ingress_certificates" needs a server block with "ssl_certificate"')
})
