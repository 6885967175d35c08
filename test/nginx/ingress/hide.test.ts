// Workers read no file below the paths of `ingress_hide`, by whatever way, and everything else as before.
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Nginx, type Site, startNginx } from "../../../harness/nginx.ts"

const dir = mkdtempSync(join(tmpdir(), "wick-hide-"))
const secrets = join(dir, "secrets")
mkdirSync(join(secrets, "of-pod"), { recursive: true })
mkdirSync(join(dir, "others"))
mkdirSync(join(dir, "stored"))
writeFileSync(join(secrets, "of-pod/token"), "a token")
writeFileSync(join(dir, "others/file"), "a file")
writeFileSync(join(dir, "beside"), "a file beside")
symlinkSync(join(secrets, "of-pod"), join(dir, "others/link"))
symlinkSync(secrets, join(dir, "way"))

/** Of the same user as the workers, as the controller is in a Pod. */
const controller = spawn("sleep", ["600"], { stdio: "ignore" })

const confOf = (hide: string) => (site: Site) => ({
  main: `load_module ${site.modules}/ngx_http_ingress_module.so; ${hide}
thread_pool files threads=2;`,
  http: `
server {
  listen 127.0.0.1:${site.port};
  location /files/ { alias ${dir}/; }
  location /threads/ { alias ${dir}/; aio threads=files; output_buffers 1 4; }
  location /proc/ { alias /proc/; }
  location = /stored { return 200 "to be stored"; }
  location /store { proxy_pass http://127.0.0.1:${site.port}/stored; proxy_store ${dir}/stored/copy; }
}`,
})

let nginx: Nginx
beforeAll(async () => {
  nginx = await startNginx(confOf(`ingress_hide ${dir}/way /no/such;`))
})
afterAll(async () => {
  await nginx?.stop()
  controller.kill()
  rmSync(dir, { recursive: true })
})

const read = async (path: string) => {
  const { status, body } = await nginx.get(path)
  return status === 200 ? body : status
}

test("files below a hidden path cannot be read, also by links, and by threads", async () => {
  for (const path of ["secrets/of-pod/token", "others/link/token", "way/of-pod/token"]) {
    expect(await read(`/files/${path}`)).toBe(403)
    expect(await read(`/threads/${path}`)).toBe(403)
  }
  expect(nginx.errorLog()).not.toContain("ingress_hide")
})

test("files beside it can", async () => {
  expect(await read("/files/others/file")).toBe("a file")
  expect(await read("/files/beside")).toBe("a file beside")
  expect(await read("/threads/beside")).toBe("a file beside")
})

test("other processes of the same user cannot be looked into", async () => {
  // Who may watch the machine's performance may read what processes have in memory, as root may here; in Pods nobody may.
  expect(await read(`/proc/${controller.pid}/root${secrets}/of-pod/token`)).toBe(403)
  expect(await read(`/proc/${controller.pid}/comm`)).not.toBe(403)
})

test("files move between folders as before", async () => {
  expect(await read("/store")).toBe("to be stored")
  expect(await read("/files/stored/copy")).toBe("to be stored")
})

test("without it everything can be read: the test would notice", async () => {
  await nginx.reload(confOf(""))
  expect(await read("/files/secrets/of-pod/token")).toBe("a token")
  expect(await read(`/threads/secrets/of-pod/token`)).toBe("a token")
})

test("a path that is not absolute is refused", async () => {
  await expect(nginx.reload(confOf("ingress_hide secrets;"))).rejects.toThrow(/must be absolute/)
})
