import { copyFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { checkConf, startNginx } from "../../../harness/nginx.ts"
import { until } from "../../../harness/until.ts"
import { filter } from "./support/filters.ts"
import { hostConf, location, startHost } from "./support/host.ts"

describe("a reload", () => {
  test("takes a new configuration of a filter", async () => {
    await using nginx = await startHost(() => ({ server: location("/", "headers: text one; respond 200") }))
    expect((await nginx.get("/")).body).toBe("one")
    await nginx.reload(await hostConf(() => ({ server: location("/", "headers: text two; respond 200") })))
    expect((await nginx.get("/")).body).toBe("two")
  })

  test("with a filter that cannot be compiled keeps the old one serving", async () => {
    const probe = await filter("probe")
    await using nginx = await startNginx((site) => {
      copyFileSync(probe, join(site.dir, "m.wasm"))
      return {
        main: `load_module ${site.modules}/ngx_http_wasm_module.so;\nwasm { module m ${site.dir}/m.wasm; }`,
        http: `server { listen 127.0.0.1:${site.port}; location / { proxy_wasm m 'headers: text fine; respond 200'; return 404; } }`,
      }
    })
    writeFileSync(join(nginx.dir, "m.wasm"), "broken")
    await expect(nginx.reload()).rejects.toThrow(/Cannot load filter "m"/)
    expect((await nginx.get("/")).body).toBe("fine")
  })
})

test("a signal of nginx -s does not compile filters", async () => {
  const { ok } = await checkConf(await hostConf(() => ({ server: "location / { return 200; }" })))
  expect(ok).toBe(true)
})

test("without a master process, too, filters serve", async () => {
  const conf = await hostConf(() => ({
    main: "master_process off;",
    server: location("/", "headers: text one; respond 200"),
  }))
  await using nginx = await startNginx(conf, { under: ["/usr/bin/env"] }) // no workers to wait for
  expect((await nginx.get("/")).body).toBe("one")
})

test("memory of a worker does not grow with requests", async () => {
  await using nginx = await startHost(() => ({
    server: location("/", "headers: prop ngx.pid; shared backends/none; respond 200"),
  }))
  const rss = async () => {
    const { readFileSync } = await import("node:fs")
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${nginx.workers()[0]}/status`, "utf8"))?.[1])
  }
  const many = async (n: number) => {
    for (let i = 0; i < n; i += 20) await Promise.all(Array.from({ length: 20 }, () => nginx.get("/")))
  }
  await many(1000)
  const before = await rss()
  await many(3000)
  expect((await rss()) - before).toBeLessThan(1024)
  await until("nginx to answer", async () => (await nginx.get("/")).status === 200)
})
