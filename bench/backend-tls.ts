// What TLS towards backends costs as data of routes, beside the same as text of a location: instructions of a request, counted by valgrind, and
// memory of a worker. Writes bench/results/backend-tls.md. Needs valgrind; takes a minute.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startIngress } from "../harness/ingress/ingress.ts"
import { type Route, recordOf } from "../harness/ingress/records.ts"
import { authorityRecord, pairRecord } from "../harness/ingress/tls-records.ts"
import { startLoad } from "../harness/load.ts"
import { rootAuthority } from "../harness/pki.ts"
import { memoryBytesOf } from "../harness/processes.ts"
import { write } from "../harness/report.ts"
import { callgrind, needValgrind, perOne, quit, totalIn } from "./support/callgrind.ts"
import { paths, usualHeaders } from "./support/sites.ts"

needValgrind()
const [short, long] = [500, 2500]
const name = "backend.internal"
const ca = await rootAuthority()
const [own, client] = [await ca.issue({ cn: "endpoint", names: [name] }), await ca.issue({ cn: "client" })]
const tls = { cert: own.chainPem, key: own.keyPem, ca: ca.pem, requestCert: true, keepAliveTimeout: 0 }
const endpoint = createServer(tls, (_, response) => response.end("ok"))
await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve))
const folder = mkdtempSync(join(tmpdir(), "wick-backend-tls-"))
writeFileSync(join(folder, "ca.pem"), ca.pem)
writeFileSync(join(folder, "client.pem"), client.chainPem + client.keyPem)

const variables = { proxy_ssl_name: name }
const said = { authority: "ca", depth: 2, certificate: "client", sendsName: true } as const
const ways: Readonly<Record<string, Route>> = {
  "as text of the location": { location: "text", variables },
  "as data of the route": { location: "data", variables, backendTls: said },
}
const rows = []
for (const [way, route] of Object.entries(ways)) {
  const each = await perOne(short, long, (requests) => instructions(route, requests))
  rows.push([way, Math.round(each)])
}
const contexts = 1000
const bytes = await bytesOfContexts(contexts)
endpoint.closeAllConnections()
endpoint.close()
rmSync(folder, { recursive: true })
write({
  name: "backend-tls",
  title: "What TLS towards backends costs as data",
  method: `valgrind's callgrind over one nginx process, counting in its event loop; the difference of two runs over the difference of their requests (${long - short}), a
kept connection to the client, and one to an endpoint that is verified and asks for a certificate, so that there is one handshake in each. Of memory: what a worker has more when ${contexts} routes that differ in \`backend_tls\` were asked for once; each took
${Math.round(bytes / contexts / 1024)} KiB, with the copy of the location's settings.`,
  columns: ["TLS towards the backend", "instructions per request"],
  rows,
})

function site(under: readonly string[] | undefined) {
  const { port } = endpoint.address() as AddressInfo
  const trust = `proxy_ssl_trusted_certificate ${folder}/ca.pem; proxy_ssl_certificate ${folder}/client.pem; proxy_ssl_certificate_key ${folder}/client.pem;`
  const text = `proxy_ssl_protocols TLSv1.2 TLSv1.3; proxy_ssl_verify on; proxy_ssl_verify_depth 2; proxy_ssl_server_name on; proxy_ssl_name $route_proxy_ssl_name; ${trust}`
  const common = `proxy_http_version 1.1; ${usualHeaders}`
  return startIngress({
    ...(under && { under }),
    main: under ? "master_process off;" : "",
    http: `keepalive_requests 1000000; ingress_backend_tls certificates;
      upstream text { server 127.0.0.1:${port}; keepalive 4; keepalive_requests 1000000; }
      upstream data { server 127.0.0.1:${port}; keepalive 4; keepalive_requests 1000000; }`,
    locations: `location @text { ${common} ${text} proxy_pass https://text; }
      location @data { ${common} proxy_pass https://data; }
      location @nobody { proxy_pass https://127.0.0.1:1; }`,
  })
}

async function instructions(route: Route, requests: number): Promise<number> {
  const out = join(folder, "out")
  const ingress = await site(callgrind(out))
  await ingress.write("authorities/ca", authorityRecord({ certificates: [ca] }), "certificates")
  await ingress.write("pairs/client", pairRecord(client), "certificates")
  await ingress.write("main/shop.test", recordOf([route]))
  const question = (n: number) => ({ host: "shop.test", path: paths[n % paths.length] ?? "/" })
  const { statuses } = await startLoad({ port: ingress.port, connections: 1, requests, question }).done
  await quit(ingress.nginx.pid, () => ingress.nginx.control("GET", "/status"))
  await ingress[Symbol.asyncDispose]()
  if (statuses.get(200) !== requests) throw new Error(`${[...statuses]}`)
  return totalIn(out)
}

/** Bytes that so many different ones take. */
async function bytesOfContexts(count: number): Promise<number> {
  const ingress = await site(undefined)
  const routes = Array.from({ length: count + 1 }, (_, at) => ({
    path: `/${at}`,
    location: "nobody",
    backendTls: { authority: "ca", alternativeNames: [`n${at}.test`] },
  }))
  await ingress.write("main/shop.test", recordOf(routes))
  const resident = () => ingress.nginx.workers().reduce((sum, pid) => sum + memoryBytesOf(pid), 0)
  await ingress.ask("shop.test", "/0")
  const before = resident()
  for (let at = 1; at <= count; at += 1) await ingress.ask("shop.test", `/${at}`)
  const after = resident()
  await ingress[Symbol.asyncDispose]()
  return after - before
}
