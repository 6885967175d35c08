// Answers that nginx keeps (`proxy_cache` of snippets) reach clients with the same headers as those that come from a backend.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ingress, serviceOn } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

const app = new Echo()
let site: Site
let zone = ""

beforeAll(async () => {
  await app.start()
  site = await Site.start([])
  zone = `proxy_cache_path ${site.wick.runtimeDir}/kept keys_zone=kept:1m;`
  app.answer = () => ({
    headers: { "set-cookie": "session=ann", "x-secret": "s", "x-pad": "p", "x-other": "o" },
  })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})
beforeEach(() => {
  app.asked.length = 0
})

// The zone's usual key has no host.
const keeps =
  "proxy_cache kept; proxy_cache_key $host$request_uri; proxy_cache_valid 200 1h; proxy_ignore_headers Set-Cookie; proxy_buffering on;"
const hides = "proxy_hide_header Set-Cookie; proxy_hide_header X-Secret;"
const passes = "proxy_pass_header X-Pad;"
const inLocation = (text: string) => ({ "configuration-snippet": text })

const told = ["set-cookie", "x-secret", "x-pad", "x-other"]

interface Case {
  /** keys of the ConfigMap beside the zone */
  readonly keys?: { readonly "http-snippet"?: string; readonly "location-snippet"?: string }
  readonly annotations: Readonly<Record<string, string>>
  readonly path?: string
}

let cases = 0

/** The names of the headers that clients get: at first, and of the answer that was kept. */
async function headersOf({ keys = {}, annotations, path = "/" }: Case): Promise<string[][]> {
  cases += 1
  const host = `case-${cases}.test`
  await site.reconfigure({ ...keys, "http-snippet": `${zone} ${keys["http-snippet"] ?? ""}` })
  const buffers = { "proxy-buffering": "on" }
  const app80 = ingress("demo/app", `${host}/ → app:80`, { ...buffers, ...annotations })
  await site.put(app80, ...serviceOn("demo/app", [app.port]))
  const get = () => site.get(path, { host })
  // Until its location is there, nothing of the host is.
  let first = await get()
  await until("the host", async () => {
    if (first.status !== 200) first = await get()
    return first.status === 200
  })
  const answers = [first, await get()]
  expect(app.asked).toHaveLength(1)
  return answers.map(({ headers }) => told.filter((name) => headers[name] !== undefined))
}

test.each<[where: string, Case]>([
  ["of one snippet", { annotations: inLocation(`${keeps} ${hides} ${passes}`) }],
  [
    "of the server, and hidden in the location",
    { annotations: { "server-snippet": keeps, ...inLocation(`${hides} ${passes}`) } },
  ],
  [
    "of the location, and hidden in the server",
    { annotations: { "server-snippet": `${hides} ${passes}`, ...inLocation(keeps) } },
  ],
  [
    "of a location block",
    {
      annotations: {
        "server-snippet": `location /block { ${keeps} ${hides} ${passes} proxy_pass http://app; }`,
      },
      path: "/block",
    },
  ],
  [
    "of all, and hidden in a location",
    { keys: { "http-snippet": keeps }, annotations: inLocation(`${hides} ${passes}`) },
  ],
  [
    "of a location, and hidden in all",
    { keys: { "location-snippet": `${hides} ${passes}` }, annotations: inLocation(keeps) },
  ],
  ["of all, and hidden in all", { keys: { "http-snippet": `${keeps} ${hides} ${passes}` }, annotations: {} }],
])("kept by words %s", async (_, one) => {
  expect(await headersOf(one)).toEqual([
    ["x-pad", "x-other"],
    ["x-pad", "x-other"],
  ])
})

test("nothing is hidden of kept answers where nothing says so", async () => {
  expect(await headersOf({ annotations: inLocation(keeps) })).toEqual([
    ["set-cookie", "x-secret", "x-other"],
    ["set-cookie", "x-secret", "x-other"],
  ])
})
