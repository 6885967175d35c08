// Compressed responses: gzip, which nginx has, and brotli and Zstandard where their modules are installed.
import { existsSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { keptMs } from "../../../harness/http.ts"
import { ingress, serviceOn } from "../../../harness/manifests.ts"
import { stockModulesDir } from "../../../harness/paths.ts"
import { Site } from "./site.ts"

const hasZstd = existsSync(join(stockModulesDir, "ngx_http_zstd_filter_module.so"))
const hasBrotli = existsSync(join(stockModulesDir, "ngx_http_brotli_filter_module.so"))

/** Answers `/TYPE/SUBTYPE/BYTES` with so many bytes of that type. */
const backend = createServer({ keepAliveTimeout: keptMs }, (request, response) => {
  const [, type, subtype, bytes] = request.url?.split("/") ?? []
  response.setHeader("content-type", `${type}/${subtype}`)
  response.setHeader("content-length", Number(bytes)).end("a".repeat(Number(bytes)))
})

let site: Site
beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve))
  site = await Site.start([])
  const { port } = backend.address() as AddressInfo
  await site.put(ingress("demo/app", "foo.test/ → app:80"), ...serviceOn("demo/app", [port]))
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  backend.closeAllConnections()
  backend.close()
})

/** Content-Encoding and Vary of a response. */
async function encoding(
  path: string,
  accept: string,
  agent = "curl/8",
): Promise<readonly (string | undefined)[]> {
  const { status, headers } = await site.get(path, {
    headers: { "accept-encoding": accept, "user-agent": agent },
  })
  expect(status).toBe(200)
  return [headers["content-encoding"], headers.vary]
}

test("nothing is compressed by default", async () => {
  expect(await encoding("/text/html/5000", "gzip, br")).toEqual([undefined, undefined])
})

describe("gzip", () => {
  beforeAll(() => site.reconfigure({ "use-gzip": "true", "gzip-disable": "msie6", "gzip-level": "5" }))

  test.each([
    ["/text/html/5000", "gzip"],
    ["/application/json/5000", "gzip"],
    ["/application/json/255", undefined],
    ["/application/json/256", "gzip"],
    ["/image/png/5000", undefined],
  ])("of %s is %s", async (path, wanted) => {
    expect((await encoding(path, "gzip"))[0]).toBe(wanted)
  })

  test("caches are told", async () => {
    expect(await encoding("/text/html/5000", "gzip")).toEqual(["gzip", "Accept-Encoding"])
    expect((await encoding("/text/html/5000", "identity"))[0]).toBeUndefined()
  })

  test("421: an agent that gzip-disable names gets none, others do", async () => {
    const old = "Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)"
    expect((await encoding("/text/html/5000", "gzip", old))[0]).toBeUndefined()
    expect((await encoding("/text/html/5000", "gzip", "Mozilla/5.0"))[0]).toBe("gzip")
  })

  test("the keys say what and from where on", async () => {
    await site.reconfigure({ "use-gzip": "true", "gzip-types": "image/svg+xml", "gzip-min-length": "1000" })
    expect((await encoding("/image/svg+xml/5000", "gzip"))[0]).toBe("gzip")
    expect((await encoding("/image/svg+xml/999", "gzip"))[0]).toBeUndefined()
    expect((await encoding("/application/json/5000", "gzip"))[0]).toBeUndefined()
  })
})

describe.skipIf(!hasBrotli)("brotli", () => {
  test("426: enable-brotli compresses for those who can read it", async () => {
    await site.reconfigure({ "enable-brotli": "true", "use-gzip": "true" })
    expect((await encoding("/application/json/5000", "gzip, br"))[0]).toBe("br")
    expect((await encoding("/application/json/5000", "gzip"))[0]).toBe("gzip")
  })

  test("caches are told without gzip, too", async () => {
    await site.reconfigure({ "enable-brotli": "true" })
    expect(await encoding("/application/json/5000", "br")).toEqual(["br", "Accept-Encoding"])
    expect(await encoding("/application/json/5000", "gzip")).toEqual([undefined, "Accept-Encoding"])
  })

  test("422: shorter responses than brotli-min-length are not compressed", async () => {
    await site.reconfigure({ "enable-brotli": "true", "brotli-min-length": "1000", "brotli-level": "7" })
    expect((await encoding("/application/json/999", "br"))[0]).toBeUndefined()
    expect((await encoding("/application/json/1000", "br"))[0]).toBe("br")
  })
})

test.skipIf(hasBrotli)("enable-brotli without its modules is a Problem", async () => {
  await site.reconfigure({ "enable-brotli": "true" })
  await site.untilSaid("modules for brotli are not installed")
})

describe.skipIf(!hasZstd)("Zstandard", () => {
  test("enable-zstd compresses for those who can read it, what its keys say", async () => {
    await site.reconfigure({ "enable-zstd": "true", "use-gzip": "true", "zstd-min-length": "1000" })
    expect((await encoding("/application/json/1000", "gzip, zstd"))[0]).toBe("zstd")
    expect((await encoding("/application/json/999", "zstd"))[0]).toBeUndefined()
    expect((await encoding("/application/json/1000", "gzip"))[0]).toBe("gzip")
    expect((await encoding("/image/png/5000", "zstd"))[0]).toBeUndefined()
  })
})

test.skipIf(hasZstd)("enable-zstd without its module is a Problem", async () => {
  await site.reconfigure({ "enable-zstd": "true" })
  await site.untilSaid("module for Zstandard is not installed")
})
