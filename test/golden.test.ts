// Golden cases: `in.yaml` beside `base.yaml`, and what the controller makes of them; golden/README.md says how to add one.
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { afterAll, describe, expect, test } from "vitest"
import { annotations } from "../controller/core/annotations/table.ts"
import { keys } from "../controller/core/options/key-table.ts"
import { parseNginxSyntax } from "../controller/core/snippets/syntax.ts"
import type { Fixed, Model } from "../controller/model/model.ts"
import type { Condition, ObjectStatus } from "../controller/model/object-status.ts"
import type { Problem } from "../controller/model/problem.ts"
import { checkConf } from "../controller/output/nginx/check.ts"
import { provideDefaultCertificate } from "../controller/output/nginx/default-certificate.ts"
import { type Layout, prepareRuntimeDir, writeCandidate } from "../controller/output/nginx/files.ts"
import { findInstallation } from "../controller/output/nginx/installation.ts"
import { provideQuicHostKey } from "../controller/output/nginx/quic-host-key.ts"
import { nginxTraits } from "../controller/output/nginx/version.ts"
import { loadRender, type Site } from "../controller/output/render/render.ts"
import { ReloadHistory } from "../controller/report/history/reload-history.ts"
import { Apply } from "../controller/sync/apply.ts"
import { freeListeners, type Listeners } from "../harness/ports.ts"
import { streamModule } from "../harness/stream-module.ts"
import { patienceMs } from "../harness/until.ts"
import { writeRaw } from "./nginx/wasm/support/raw.ts"
import { difference } from "./support/difference.ts"
import { cases, golden, objectsIn, run } from "./support/golden.ts"
import { MemoryPlane } from "./support/memory-plane.ts"
import { site as plainSite } from "./unit/output/render/site.ts"

/** A machine that stays the same, so that nginx.conf does. */
const site: Site = {
  ...plainSite,
  paths: {
    ...plainSite.paths,
    wasmModule: "/usr/lib/wick/ngx_http_wasm_module.so",
    ingressModule: "/usr/lib/wick/ngx_http_ingress_module.so",
    brotliModules: ["/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so"],
    zstdModules: ["/usr/lib/nginx/modules/ngx_http_zstd_filter_module.so"],
    balancer: "/usr/lib/wick/balancer.wasm",
  },
  processors: 4,
  backlog: 4096,
  hasIpv6: true,
}

function line({ object, field, code, message }: Problem): string {
  const name = object.namespace === "" ? object.name : `${object.namespace}/${object.name}`
  return `${object.kind} ${name} ${field}\n    ${code}: ${message}\n`
}

/** Conditions as `Accepted=True (Accepted)`, each with its sentence; of features their number. */
function statusText({ kind, namespace, name, generation, status }: ObjectStatus): string {
  const text = JSON.stringify(
    status,
    (field, value) =>
      field === "supportedFeatures" ? value.length : isCondition(value) ? conditionText(value) : value,
    2,
  )
  return `${kind} ${namespace === "" ? name : `${namespace}/${name}`}, generation ${generation}: ${text}\n`
}

function isCondition(value: unknown): value is Condition {
  return typeof value === "object" && value !== null && "reason" in value && "status" in value
}

function conditionText({ type, status, reason, message }: Condition): string {
  return `${type}=${status} (${reason})${message === "" ? "" : ` ${message}`}`
}

const render = loadRender()
const everything = { nginx: "", module: "", balancer: "", enableSslPassthrough: existsSync(streamModule) }
/** What of an installation a configuration may need. */
const installation = await findInstallation(everything)
const plain = run(golden).model
const plainConf = confOf(plain)
const made = cases.map((name) => {
  const folder = join(golden, name)
  const { model, problems, statuses } = run(folder)
  return { name, folder, model, problems, statuses, conf: confOf(model) }
})

function confOf({ fixed }: Model): string {
  return render(fixed, site).text
}

/** The fields of `some` that `others` has not alike; of groups of fields only those. */
function ownFields(some: object, others: object): object {
  const before = new Map<string, unknown>(Object.entries(others))
  const differing = Object.entries(some).filter(
    ([field, value]) => !isDeepStrictEqual(value, before.get(field)),
  )
  return Object.fromEntries(
    differing.map(([field, value]) => {
      const other = before.get(field)
      return [field, isGroup(value) && isGroup(other) ? ownFields(value, other) : value]
    }),
  )
}

function isGroup(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A case shows only what is its own: neither http settings, locations nor lines of nginx.conf that are there without any Ingress. */
function ownModel({ fixed: { http, locations, streams }, live }: Model): string {
  const settings = ownFields(http, plain.fixed.http)
  const names = new Set(plain.fixed.locations.map(({ name }) => name))
  const own = locations.filter(({ name }) => !names.has(name))
  const fixed = {
    ...(Object.keys(settings).length > 0 && { http: settings }),
    locations: own,
    ...(streams && { streams }),
  }
  const { backends, hosts, ...tls } = live
  const used = Object.fromEntries(Object.entries(tls).filter(([, list]) => list.length > 0))
  const text = `${JSON.stringify({ fixed, live: { backends, hosts, ...used } }, null, 2)}\n`
  return [...names].reduce((shown, name) => shown.replaceAll(name, "location-default"), text)
}

/** The hash is another one whenever anything is: two branches that change the template would always be in each other's way. */
function withoutHash(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{32}(?=$| [0-9a-f]{32}";$)/gm, "HASH")
    .replace(/(?<=^# Configuration checksum: )\d+$/m, "HASH")
}

test("nginx.conf without any Ingress", async () => {
  await expect(withoutHash(plainConf)).toMatchFileSnapshot(join(golden, "nginx.conf"))
})

const { hasHttp3 } = await nginxTraits(installation.nginx)

/** What is not built with nginx may be missing (build/nginx.sh, build/brotli.sh). */
function isUsable({ http }: Fixed): boolean {
  const { brotli, zstd, streamModule } = installation
  const { usesBrotli, usesZstd } = http.compression
  return (
    (!usesBrotli || brotli.length > 0) &&
    (!usesZstd || zstd.length > 0) &&
    (!http.passesTls || streamModule !== undefined) &&
    (!http.listening.usesHttp3 || hasHttp3)
  )
}

// Another filter than the release's, which is named by each configuration alike: nginx takes longer to compile that than for all the rest.
const filters = mkdtempSync(join(tmpdir(), "golden-filter-"))
const anyFilter = writeRaw(filters, "any", { steps: {} })
afterAll(() => rmSync(filters, { recursive: true }))

/** nginx reads the configurations with these fixed halves, on free ports and with what is installed. */
async function check(all: readonly Fixed[]): Promise<void> {
  const layout = await prepareRuntimeDir(await mkdtemp(join(tmpdir(), "golden-")))
  try {
    await provideDefaultCertificate(layout, Date.now())
    await provideQuicHostKey(layout)
    const listeners = await freeListeners()
    for (const fixed of all) await checkIn(layout, listeners, fixed)
  } finally {
    await rm(layout.dir, { recursive: true })
  }
}

async function checkIn(layout: Layout, listeners: Listeners, fixed: Fixed): Promise<void> {
  const { nginx, ...installed } = installation
  const { http: httpPort, https: httpsPort, status: statusPort, defaultServer } = listeners
  const ports = { httpPort, httpsPort, statusPort, defaultServerPort: defaultServer }
  const listening = { ...fixed, http: { ...fixed.http, ports } }
  const paths = {
    ...layout,
    ...installed,
    balancer: anyFilter,
    brotliModules: installed.brotli,
    zstdModules: installed.zstd,
    ruleSets: [layout.modsecurity],
    hidden: ["/var/run/secrets"],
    accessLog: "/dev/null",
  }
  await writeCandidate(layout, render(listening, { ...site, paths }))
  await checkConf(nginx, layout, layout.candidate, AbortSignal.timeout(patienceMs))
}

const configurations = new Map([
  [plainConf, plain.fixed],
  ...made.map(({ conf, model }) => [conf, model.fixed] as const),
])

test("nginx accepts every configuration of the cases", async () => {
  expect(configurations.size).toBeGreaterThan(2)
  await check([...configurations.values()].filter(isUsable))
})

test("every configuration is read by our reader of nginx's syntax as well", () => {
  for (const conf of configurations.keys())
    expect(parseNginxSyntax(conf).map(({ name }) => name)).toContain("http")
})

/** Brings models to a data plane that checks what it is told; nobody waits for a reload. */
function applyTo(plane: MemoryPlane): Apply {
  return new Apply({
    plane,
    rateLimit: { waitMs: () => 0, take: () => true },
    reloadShares: { waitMs: () => 0, take() {} },
    passIn() {},
    recorder: { reloaded() {}, reloadFailed() {} },
    metrics: { reloaded() {}, reloadedFor() {}, reloadFailed() {}, reloadNotNeeded() {} },
    reloads: new ReloadHistory(),
    log: { info() {} },
  })
}

test("every case comes into force in a data plane that served another one, and goes again", async () => {
  const plane = new MemoryPlane()
  const bringer = applyTo(plane)
  for (const { model, name } of made)
    for (const wanted of [model, plain]) {
      expect(await bringer.apply(wanted), name).toMatchObject({ isComplete: true })
      expect(plane.live, name).toEqual(wanted.live)
      expect(plane.running?.fixed.http, name).toEqual(wanted.fixed.http)
    }
})

/** What a user may write in an object that says something to the controller. */
interface Written {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, unknown>> }
  readonly data?: Readonly<Record<string, unknown>>
}

describe("there is a case of", () => {
  const written = made.flatMap(({ folder }) => objectsIn(join(folder, "in.yaml")) as Written[])

  test("every annotation that has an effect", () => {
    const names = new Set(
      written.flatMap(({ metadata }) =>
        Object.keys(metadata?.annotations ?? {}).map((key) => key.slice(key.lastIndexOf("/") + 1)),
      ),
    )
    expect(annotations.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([])
  })

  test("every key of the ConfigMap that has an effect", () => {
    const names = new Set(written.flatMap(({ data }) => Object.keys(data ?? {})))
    expect(keys.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([])
  })
})

describe.each(made)("$name", ({ folder, model, problems, statuses, conf }) => {
  test("model", async () => {
    await expect(ownModel(model)).toMatchFileSnapshot(join(folder, "model.json"))
  })

  test("nginx.conf", async () => {
    await expectFile("nginx.conf.diff", difference(withoutHash(plainConf), withoutHash(conf)))
    expect(existsSync(join(folder, "nginx.conf")), "a case shows the difference only").toBe(false)
  })

  test("problems", () => expectFile("problems.txt", problems.map(line).join("")))

  test("statuses", () => expectFile("statuses.txt", statuses.map(statusText).join("")))

  /** A file where there is something to say, and none where there is not. */
  async function expectFile(name: string, text: string): Promise<void> {
    const file = join(folder, name)
    if (text !== "") return expect(text).toMatchFileSnapshot(file)
    expect(existsSync(file), `there is nothing to say any more, remove ${file}`).toBe(false)
  }
})
