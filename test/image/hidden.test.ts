// In a Pod nginx's workers are the user that the token of the service account belongs to.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { ask } from "../../harness/http.ts"
import { until } from "../../harness/until.ts"
import { type Pod, startPod } from "./support/pod.ts"

let server: ApiServer
let pod: Pod

const dir = mkdtempSync(join(tmpdir(), "wick-hidden-"))
/** An nginx of the image that gives away what it can read. */
const conf = (hide: string, port: number) => `
load_module /usr/lib/nginx/modules/ngx_http_ingress_module.so;
daemon on; pid /tmp/${port}.pid; error_log stderr; ${hide}
events { }
http {
  access_log off;
  client_body_temp_path /tmp/body; proxy_temp_path /tmp/proxy; fastcgi_temp_path /tmp/fastcgi;
  uwsgi_temp_path /tmp/uwsgi; scgi_temp_path /tmp/scgi;
  server { listen 127.0.0.1:${port}; location / { root /; } }
}`

beforeAll(async () => {
  chmodSync(dir, 0o755)
  writeFileSync(join(dir, "open.conf"), conf("", 7001), { mode: 0o644 })
  server = await startApiServer()
  pod = await startPod(server, { mounts: { "/mnt": dir } })
  const [line = ""] = /^ingress_hide .*;$/m.exec((await pod.container.exec("wick", "conf")).out) ?? []
  writeFileSync(join(dir, "hidden.conf"), conf(line, 7002), { mode: 0o644 })
  for (const name of ["open", "hidden"])
    await pod.container.exec("sh", "-c", `nginx -c /mnt/${name}.conf >/tmp/${name}.log 2>&1`)
})
afterAll(async () => {
  await pod?.stop()
  await server?.stop()
  rmSync(dir, { recursive: true })
})

const read = async (port: number, path: string) => {
  const listens = () =>
    ask({ port }, { path: "/etc/hostname" }).then(
      () => true,
      () => false,
    )
  await until("nginx to listen", listens)
  return (await ask({ port }, { path })).status
}

test("what wick's own nginx is told to hide hides the token, under each of its names", async () => {
  for (const path of [
    "/var/run/secrets/kubernetes.io/serviceaccount/token",
    "/run/secrets/kubernetes.io/serviceaccount/token",
  ]) {
    expect(await read(7001, path)).toBe(200)
    expect(await read(7002, path)).toBe(403)
  }
  expect(await read(7002, "/etc/nginx/mime.types")).toBe(200)
})

test("and the environment and files of other processes of the user, as the controller is one", async () => {
  // The controller itself has the right to low ports, which these here lack; wick's own workers have it, too.
  const { out } = await pod.container.exec("sh", "-c", "sleep 600 >/dev/null 2>&1 & echo $!")
  const other = `/proc/${out.trim()}`
  const token = "var/run/secrets/kubernetes.io/serviceaccount/token"
  for (const path of [`${other}/environ`, `${other}/root/${token}`]) {
    expect(await read(7001, path)).toBe(200)
    expect(await read(7002, path)).toBe(403)
  }
})
