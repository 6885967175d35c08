// Golden cases: `in.yaml` beside `base.yaml`, and what the controller makes of them. A new case is a new folder; `vitest -u` writes the
// expected files, which are to be read before they are committed.
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { parseAllDocuments } from "yaml"
import type { Model } from "../controller/model/model.ts"
import type { Problem } from "../controller/model/problem.ts"
import { parseObject } from "../controller/objects/parse.ts"
import { parseSettings } from "../controller/options/configmap.ts"
import { type Options, parseFlags } from "../controller/options/flags.ts"
import { loadRender, type Site } from "../controller/render/render.ts"
import { Store, type StoreChange, type StoreOptions } from "../controller/store/store.ts"
import { type Translation, translate, translateOptions } from "../controller/translate/translate.ts"

/** A machine that stays the same, so that nginx.conf does. */
const site: Site = {
  paths: {
    wasmModule: "/usr/lib/wick/ngx_http_wasm_module.so",
    ingressModule: "/usr/lib/wick/ngx_http_ingress_module.so",
    balancer: "/usr/lib/wick/balancer.wasm",
    pid: "/run/wick/nginx.pid",
    controlSocket: "/run/wick/control/control.sock",
    temp: "/run/wick/temp",
    accessLog: "/dev/stdout",
  },
  processors: 4,
  openFiles: 65_536,
  backlog: 4096,
  hasIpv6: true,
}

const golden = join(import.meta.dirname, "golden")
const cases = globSync("*/*/in.yaml", { cwd: golden }).map(dirname).sort()

/** Age of objects without creationTimestamp. */
const firstSeenMs = Date.UTC(2026, 2, 1)

function optionsOf(folder: string): Options {
  const file = join(folder, "options.json")
  return flags(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).flags : [])
}

function flags(args: readonly string[]): Options {
  const command = parseFlags(args)
  if (command.kind !== "run") throw new Error(`${args}: ${JSON.stringify(command)}`)
  return command.options
}

function storeOptions(options: Options): StoreOptions {
  return { ...options, reportsUnclaimed: options.manifests !== "" }
}

function changesOf(file: string): StoreChange[] {
  return parseAllDocuments(readFileSync(file, "utf8")).flatMap((document): StoreChange[] => {
    const value: unknown = document.toJS()
    if (value === null) return []
    const origin = file.slice(golden.length + 1)
    const parsed = parseObject(value, { origin, firstSeenMs: () => firstSeenMs })
    if (parsed.kind === "ignored") throw new Error(`${file} holds an object that nobody reads`)
    const problems: StoreChange = {
      kind: "problems",
      origin: JSON.stringify(value),
      problems: parsed.problems,
    }
    return parsed.kind === "object" ? [{ kind: "set", object: parsed.object }, problems] : [problems]
  })
}

function run(folder: string): Translation {
  const options = optionsOf(folder)
  const store = new Store(storeOptions(options))
  store.apply([join(golden, "base.yaml"), join(folder, "in.yaml")].filter(existsSync).flatMap(changesOf))
  const snapshot = store.snapshot()
  const name = options.configmap && `${options.configmap.namespace}/${options.configmap.name}`
  const { settings, problems } = parseSettings(name === undefined ? undefined : snapshot.configMaps.get(name))
  const { model, problems: found } = translate(snapshot, settings, translateOptions(options))
  return { model, problems: [...snapshot.problems, ...problems, ...found] }
}

function line({ object, field, code, message }: Problem): string {
  const name = object.namespace === "" ? object.name : `${object.namespace}/${object.name}`
  return `${object.kind} ${name} ${field}\n    ${code}: ${message}\n`
}

const render = loadRender()
const plainConf = confOf(run(golden).model)

function confOf({ fixed }: Model): string {
  return render(fixed, site).text
}

test("nginx.conf without any Ingress", async () => {
  await expect(plainConf).toMatchFileSnapshot(join(golden, "nginx.conf"))
})

describe.each(cases)("%s", (name) => {
  const folder = join(golden, name)
  const { model, problems } = run(folder)

  test("model", async () => {
    await expect(`${JSON.stringify(model, null, 2)}\n`).toMatchFileSnapshot(join(folder, "model.json"))
  })

  test("nginx.conf", async () => {
    const file = join(folder, "nginx.conf")
    if (confOf(model) !== plainConf) await expect(confOf(model)).toMatchFileSnapshot(file)
    else expect(existsSync(file), "it is that without any Ingress").toBe(false)
  })

  test("problems", async () => {
    await expect(problems.map(line).join("")).toMatchFileSnapshot(join(folder, "problems.txt"))
  })
})
