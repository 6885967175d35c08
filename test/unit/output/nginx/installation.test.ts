import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { findInstallation } from "../../../../controller/output/nginx/installation.ts"

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "wick-installation-"))
  for (const folder of ["sbin", "lib/nginx/modules"]) mkdirSync(join(dir, folder), { recursive: true })
  for (const file of [
    "sbin/nginx",
    "ngx_http_wasm_module.so",
    "ngx_http_ingress_module.so",
    "balancer.wasm",
  ]) {
    writeFileSync(join(dir, file), "")
    chmodSync(join(dir, file), 0o755)
  }
})
afterEach(() => rmSync(dir, { recursive: true }))

const find = (enableSslPassthrough: boolean) =>
  findInstallation({
    nginx: join(dir, "sbin/nginx"),
    module: dir,
    balancer: join(dir, "balancer.wasm"),
    enableSslPassthrough,
  })

test("nginx's stream module is found beside nginx's own", async () => {
  const file = join(dir, "lib/nginx/modules/ngx_stream_module.so")
  writeFileSync(file, "")
  expect((await find(true)).streamModule).toBe(file)
})

test("it has to be there only where TLS is passed through", async () => {
  expect(await find(false)).not.toHaveProperty("streamModule")
  await expect(find(true)).rejects.toThrow(
    /install the package libnginx-mod-stream, or drop --enable-ssl-passthrough$/,
  )
})

test("nginx's types of files are found where distributions have them", async () => {
  for (const folder of ["usr/sbin", "etc/nginx"]) mkdirSync(join(dir, folder), { recursive: true })
  const nginx = join(dir, "usr/sbin/nginx")
  copyFileSync(join(dir, "sbin/nginx"), nginx)
  const balancer = join(dir, "balancer.wasm")
  const installation = () => findInstallation({ nginx, module: dir, balancer, enableSslPassthrough: false })
  expect(await installation()).not.toHaveProperty("mimeTypes")
  const file = join(dir, "etc/nginx/mime.types")
  writeFileSync(file, "")
  expect((await installation()).mimeTypes).toBe(file)
})
