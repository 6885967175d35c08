// `wick top`, run as people run it, on a terminal of its own and without one, while requests go on.
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { ingress, ingressClass, manifest, serviceOn } from "../../../harness/manifests.ts"
import { nodeBinary, root } from "../../../harness/paths.ts"
import { childrenOf, signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { letPass } from "../../support/clock.ts"

const program = [nodeBinary, join(root, "controller/main.ts")] as const
const giveBack = "\u001b[?25h\u001b[?1049l"

let backends: Backends
let wick: Wick
let isOver = false
let load: Promise<unknown>
beforeAll(async () => {
  backends = await startBackends("good", "bad")
  const [good, bad] = backends
  if (good === undefined || bad === undefined) throw new Error("Two backends were started")
  const objects = [
    ingressClass,
    ...serviceOn("shop/cart", [good.port, bad.port]),
    ...serviceOn("shop/down", [bad.port]),
    ingress("shop/cart", "shop.test/ → cart:80", { "load-balance": "least_conn" }),
    ingress("shop/down", "down.test/ → down:80"),
  ]
  wick = await startWick({
    manifests: { "all.yaml": manifest(...objects) },
    flags: ["--metrics-per-endpoint"],
  })
  await bad.fault("reset")
  const ask = async (host: string) => {
    while (!isOver) {
      await wick.get("/", { host }).catch(() => {})
      await letPass(10, "others have the machine")
    }
  }
  load = Promise.all(["shop.test", "shop.test", "down.test"].map(ask))
})
afterAll(async () => {
  isOver = true
  await load
  await wick.stop()
  await backends.stop()
})

async function printed(...args: readonly string[]): Promise<string> {
  const [node, main] = program
  const all = [main, "top", ...args, "--runtime-dir", wick.runtimeDir]
  const env = { ...process.env, NO_COLOR: "" }
  const { stdout, stderr } = await promisify(execFile)(node, all, { env })
  expect(stderr).toBe("")
  return stdout
}

const rowOf = (text: string, name: string) =>
  text
    .split("\n")
    .find((line) => line.startsWith(name))
    ?.split(/ {2,}/) ?? []

describe("without a terminal", () => {
  test("one frame is printed, without colours", async () => {
    // In half a second of a busy machine there may have been no request.
    const text = await until("a frame with traffic", async () => {
      const frame = await printed("--interval", "0.5")
      return ["shop/down", "shop/cart"].every((name) => Number(rowOf(frame, name)[1]) > 0) && frame
    })
    expect(text).not.toContain("\u001b")
    expect(text).toMatch(
      /^wick \S+ {2}[\d.]+ requests\/s, [\d.]+ % of them 5xx, over (?:0\.[5-9]|[1-9][\d.]*) s\nProblems: none {2}reloads: /,
    )
    const [, perSecond, errors] = rowOf(text, "shop/down")
    expect(Number(perSecond)).toBeGreaterThan(0)
    expect(errors).toBe("100 %")
    expect(rowOf(text, "shop/cart")[2]).toBe("0 %")
  })

  test("endpoints have attempts, failures and what runs", async () => {
    const [good, bad] = backends
    let rows: readonly (readonly string[])[] = []
    const row = (port: number | undefined, backend: string) =>
      rows.find(([endpoint, of]) => endpoint === `127.0.0.1:${port}` && of === backend)
    await until("attempts at both", async () => {
      const text = await printed("endpoints", "--once", "--interval", "0.5")
      rows = text.split("\n").map((line) => line.split(/ {2,}/))
      const attempts = [row(good?.port, "shop-cart-80"), row(bad?.port, "shop-down-80")].map((it) => it?.[2])
      return attempts.every((count) => Number(count) > 0)
    })
    expect(row(good?.port, "shop-cart-80")?.[3]).toBe("0 %")
    expect(row(bad?.port, "shop-down-80")?.[3]).toBe("100 %")
    expect(row(good?.port, "shop-cart-80")?.[5]).toMatch(/^\d+$/)
  })

  test("as JSON", async () => {
    const activity = await until("traffic of both", async () => {
      const told = JSON.parse(await printed("--json", "--interval", "0.5"))
      return told.ingresses.length === 2 && told
    })
    expect(activity.requests.perSecond).toBeGreaterThan(0)
    expect(activity.ingresses.map(({ name }: { name: string }) => name).sort()).toEqual([
      "shop/cart",
      "shop/down",
    ])
    for (const { meanSeconds, p99Seconds } of activity.ingresses) {
      expect(meanSeconds).toBeGreaterThanOrEqual(0)
      expect(p99Seconds).toBeGreaterThan(0)
    }
    expect(activity.controller.problems).toEqual({ error: 0, warning: 0, info: 0 })
    expect(activity.zones.map(({ name }: { name: string }) => name)).toContain("backends")
  })

  test("what it cannot do is said", async () => {
    const fails = (...args: readonly string[]) =>
      printed(...args).then(
        () => "",
        ({ stderr }: { stderr: string }) => stderr,
      )
    expect(await fails("--interval", "0")).toContain('Cannot look every "0" seconds')
    expect(await fails("pods")).toContain('Cannot show "pods": it is one of ingresses, hosts, backends')
  })
})

/** A terminal with the command on it. */
class Pty implements AsyncDisposable {
  readonly #dir = mkdtempSync(join(tmpdir(), "wick-pty-"))
  readonly #child: ChildProcess
  readonly exit: Promise<number>
  output = ""

  constructor(columns: number, rows: number, args: readonly string[]) {
    const command = [...program, "top", ...args, "--runtime-dir", wick.runtimeDir].join(" ")
    const line = `tty > ${this.#ttyFile}; stty cols ${columns} rows ${rows}; exec ${command}`
    this.#child = spawn("script", ["-qefc", line, "/dev/null"], {
      env: { ...process.env, SHELL: "/bin/sh", TERM: "xterm", NO_COLOR: "1" },
    })
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.output += text
    })
    this.exit = once(this.#child, "close").then(([code]) => Number(code))
  }

  get #ttyFile(): string {
    return join(this.#dir, "tty")
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys)
  }

  resize(columns: number, rows: number): void {
    const tty = readFileSync(this.#ttyFile, "utf8").trim()
    execFileSync("stty", ["-F", tty, "cols", String(columns), "rows", String(rows)])
  }

  /** Settings of the terminal's lines, while something has it open. */
  settings(): string {
    const tty = readFileSync(this.#ttyFile, "utf8").trim()
    return execFileSync("stty", ["-F", tty, "-a"]).toString()
  }

  /** Of the program itself. */
  get pid(): number {
    return childrenOf(this.#child.pid ?? 0)[0] ?? 0
  }

  /** What stands there: the last whole frame. */
  lines(): string[] {
    const frames = this.output.split("\u001b[H")
    const last = frames.findLast((frame) => frame.includes("\u001b[J")) ?? ""
    return (last.split("\u001b[J")[0] ?? "").split(/\r+\n/).map((line) => line.replaceAll("\u001b[K", ""))
  }

  untilShown(what: string, is: (lines: readonly string[]) => boolean): Promise<unknown> {
    return until(what, () => is(this.lines()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL")
    await this.exit
    rmSync(this.#dir, { recursive: true })
  }
}

describe("on a terminal", () => {
  test("frames go on, keys choose, and q gives the terminal back", async () => {
    await using pty = new Pty(100, 20, ["--interval", "0.3"])
    await pty.untilShown("traffic", (lines) => lines.some((line) => /^shop\/cart .* [1-9]/.test(line)))
    expect(pty.lines()).toHaveLength(20)
    expect(pty.output.startsWith("\u001b[?1049h\u001b[?25l")).toBe(true)
    expect(pty.settings()).toContain("-icanon")
    pty.type("4")
    await pty.untilShown("endpoints", (lines) => lines.some((line) => line.startsWith("ENDPOINT")))
    pty.type("/down\r")
    await pty.untilShown("the filter", (lines) =>
      lines.some((line) => line.includes("1 of 3 rows  filter: down")),
    )
    const frames = () => pty.output.split("\u001b[J").length
    const before = frames()
    await until("more frames", () => frames() > before + 3)
    pty.type("q")
    expect(await pty.exit).toBe(0)
    expect(pty.output.endsWith(giveBack)).toBe(true)
  })

  test("a frame has the size of the terminal, also when that changes", async () => {
    await using pty = new Pty(100, 20, ["--interval", "60"])
    await pty.untilShown("the rows", (lines) => lines.length === 20)
    pty.resize(50, 11)
    await pty.untilShown("fewer rows", (lines) => lines.length === 11)
    expect(pty.lines().filter((line) => line.length > 50)).toEqual([])
    pty.type("\u0003")
    expect(await pty.exit).toBe(0)
    expect(pty.output.endsWith(giveBack)).toBe(true)
  })

  test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("%s gives the terminal back", async (name) => {
    await using pty = new Pty(80, 20, [])
    await pty.untilShown("a frame", (lines) => lines.length === 20)
    signal(pty.pid, name)
    expect(await pty.exit).toBe({ SIGTERM: 143, SIGHUP: 129, SIGINT: 130 }[name])
    expect(pty.output).toContain(giveBack)
  })

  test("without a controller there is what nginx says, until there is one again", async () => {
    await using pty = new Pty(100, 20, ["--interval", "0.3"])
    await pty.untilShown("Problems", (lines) => lines[1]?.startsWith("Problems: none") === true)
    await wick.kill()
    await pty.untilShown("no controller", (lines) => lines[1]?.startsWith("no controller answers") === true)
    await pty.untilShown("traffic", (lines) => lines.some((line) => /^shop\/cart .* [1-9]/.test(line)))
    await wick.start()
    await pty.untilShown("Problems again", (lines) => lines[1]?.startsWith("Problems: none") === true)
    pty.type("q")
    expect(await pty.exit).toBe(0)
  })
})

test("with nothing running that is said, and the terminal stays as it was", async () => {
  const [node, main] = program
  const dir = mkdtempSync(join(tmpdir(), "wick-nothing-"))
  const failed = promisify(execFile)(node, [main, "top", "--runtime-dir", dir])
  await expect(failed).rejects.toMatchObject({ code: 1, stdout: "", stderr: /nothing runs there/ })
  rmSync(dir, { recursive: true })
})
