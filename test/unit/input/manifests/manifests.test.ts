// A real directory, watched. Every step waits for what it asks to see; where nothing may happen, a later change is the proof.
import { execFileSync } from "node:child_process"
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { manifestSource } from "../../../../controller/input/manifests/manifests.ts"
import { ingress, ingressClass, type Json, manifest } from "../../../../harness/manifests.ts"
import { patienceMs, until } from "../../../../harness/until.ts"
import { type Age, ageOf, letPass } from "../../../support/clock.ts"
import { atMost, longestTurnMs, timed } from "../../../support/timed.ts"

/** The paths of Ingresses by name and the codes of Problems, as they follow from the changes so far. */
class Observer {
  readonly paths = new Map<string, string>()
  readonly problems = new Map<string, readonly string[]>()
  /** every state of `paths` that was ever visible */
  readonly history: string[] = []
  synced = 0
  readonly #abort = new AbortController()
  readonly #done: Promise<void>

  constructor(directory: string) {
    this.#done = this.#follow(directory)
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    await this.#done
  }

  get codes(): readonly string[] {
    return [...this.problems.values()].flat().sort()
  }

  async #follow(directory: string): Promise<void> {
    for await (const { changes, synced } of manifestSource(directory).changes(this.#abort.signal)) {
      for (const change of changes) {
        if (change.kind === "problems")
          this.problems.set(
            change.origin,
            change.problems.map(({ code }) => code),
          )
        else if (change.kind === "delete") this.paths.delete(change.key.name)
        else if (change.object.kind === "Ingress")
          this.paths.set(change.object.meta.name, change.object.rules[0]?.paths?.[0]?.path ?? "")
      }
      this.history.push(this.shown)
      if (synced) this.synced += 1
    }
  }

  get shown(): string {
    return [...this.paths]
      .sort()
      .map((entry) => entry.join(""))
      .join(" ")
  }

  async shows(text: string): Promise<void> {
    await until(`"${text}", not "${this.shown}"`, () => this.shown === text)
  }
}

let base = ""
let directory = ""
let observer: Observer

const one = (name: string, path: string) => ingress(`shop/${name}`, `${name}.test${path} → s:80`)
const write = (file: string, ...values: readonly Json[]) =>
  writeFileSync(join(directory, file), manifest(...values))

/** @returns whether all pieces came sooner after each other than a file has to settle: on a busy machine the writer may be held up, too */
async function writeInPieces(path: string, text: string, lengths: readonly number[]): Promise<boolean> {
  let isHeldUp = false
  let last: Age | undefined
  for (const length of lengths) {
    const age = await ageOf(async () => writeFileSync(path, text.slice(0, length)))
    isHeldUp ||= last !== undefined && last.atMostMs() > 40
    last = age
    await letPass(15, "whoever watches sees this piece alone")
  }
  return !isHeldUp
}

async function observe(): Promise<void> {
  observer = new Observer(directory)
  await until("the first batch", () => observer.synced > 0)
}

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "wick-manifests-"))
  directory = join(base, "manifests")
  mkdirSync(join(directory, "sub"), { recursive: true })
})
afterEach(async () => {
  await observer.stop()
  rmSync(base, { recursive: true, force: true })
})

describe("a watched directory", () => {
  test("gives everything that is there in its first batch, and nothing of what is no manifest", async () => {
    write("a.yaml", ingressClass, one("a", "/1"))
    write("sub/b.yml", one("b", "/1"))
    writeFileSync(join(directory, "c.json"), JSON.stringify(one("c", "/1")))
    write("notes.txt", one("d", "/1"))
    write(".draft.yaml", one("e", "/1"))
    await observe()
    expect(observer.history).toEqual(["a/1 b/1 c/1"])
    expect(observer.codes).toEqual([])
  })

  test("tells files that are added, changed, renamed over and removed", async () => {
    await observe()
    write("a.yaml", one("a", "/1"))
    await observer.shows("a/1")
    write("a.yaml", one("a", "/2"))
    await observer.shows("a/2")
    write(".a.tmp", one("a", "/3"))
    renameSync(join(directory, ".a.tmp"), join(directory, "a.yaml"))
    await observer.shows("a/3")
    mkdirSync(join(directory, "new/deep"), { recursive: true })
    write("new/deep/b.yaml", one("b", "/1"))
    await observer.shows("a/3 b/1")
    unlinkSync(join(directory, "a.yaml"))
    await observer.shows("b/1")
    rmSync(join(directory, "new"), { recursive: true })
    await observer.shows("")
    expect(observer.history).not.toContain("a/1 b/1")
  })

  test("tells the last of many quick changes", async () => {
    await observe()
    for (let i = 0; i < 200; i += 1) {
      write("a.yaml", one("a", `/${i}`))
      if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await observer.shows("a/199")
  })

  test("never shows less while a file is moved or written in pieces", async () => {
    write("a.yaml", one("a", "/1"), one("b", "/1"))
    await observe()
    const whole = manifest(one("a", "/2"), one("b", "/2"))
    const path = join(directory, "a.yaml")
    await until("a writer that was quick enough", async () => {
      observer.history.length = 0
      const isQuick = await writeInPieces(path, whole, [0, 10, whole.indexOf("---") + 4, whole.length])
      await observer.shows("a/2 b/2")
      return isQuick
    })
    unlinkSync(path)
    write("a.yaml", one("a", "/3"), one("b", "/3"))
    await observer.shows("a/3 b/3")
    expect(observer.history.every((shown) => shown.includes("a/") && shown.includes("b/"))).toBe(true)
    expect(observer.codes).toEqual([])
  })

  test("a file that stays half keeps what was there and is a Problem until it is whole", async () => {
    write("a.yaml", one("a", "/1"))
    await observe()
    writeFileSync(join(directory, "a.yaml"), `${manifest(one("a", "/2"))}tls: [\n`)
    await until("a Problem", () => observer.codes.includes("not-yaml"))
    expect(observer.shown).toBe("a/1")
    write("a.yaml", one("a", "/2"))
    await observer.shows("a/2")
    expect(observer.codes).toEqual([])
  })

  test("a directory may be called like a file", async () => {
    await observe()
    mkdirSync(join(directory, "d.yaml"))
    write("d.yaml/a.yaml", one("a", "/1"))
    await observer.shows("a/1")
    expect(observer.codes).toEqual([])
  })

  test("a file that is too large keeps what was there, and so does a pipe", async () => {
    write("a.yaml", one("a", "/1"))
    await observe()
    truncateSync(join(directory, "a.yaml"), 65 * 1024 ** 2)
    await until("a Problem", () => observer.codes.includes("file-unreadable"))
    execFileSync("mkfifo", [join(directory, ".pipe")])
    renameSync(join(directory, ".pipe"), join(directory, "a.yaml"))
    write("b.yaml", one("b", "/1"))
    await observer.shows("a/1 b/1")
    expect(observer.codes).toEqual(["file-unreadable"])
    unlinkSync(join(directory, "a.yaml"))
    write("a.yaml", one("a", "/2"))
    await observer.shows("a/2 b/1")
    expect(observer.codes).toEqual([])
  })

  test("an unreadable file keeps what was there", async () => {
    write("a.yaml", one("a", "/1"))
    await observe()
    // A link to itself: what root cannot read either.
    symlinkSync("a.yaml", join(directory, "a.yaml.tmp"))
    renameSync(join(directory, "a.yaml.tmp"), join(directory, "a.yaml"))
    await until("a Problem", () => observer.codes.includes("file-unreadable"))
    expect(observer.shown).toBe("a/1")
    writeFileSync(join(directory, "a.yaml.tmp"), manifest(one("a", "/2")))
    renameSync(join(directory, "a.yaml.tmp"), join(directory, "a.yaml"))
    await observer.shows("a/2")
    // The watcher, too, complained of the link, and cannot tell whether it misses something since.
    expect(observer.codes).not.toContain("file-unreadable")
  })
})

describe("links", () => {
  test("a mounted ConfigMap: versions in hidden directories, swapped behind a link", async () => {
    const publish = (version: string, old?: string) => {
      mkdirSync(join(directory, `..${version}`))
      write(`..${version}/a.yaml`, one("a", `/${version}`), one("b", `/${version}`))
      symlinkSync(`..${version}`, join(directory, "..data_tmp"))
      renameSync(join(directory, "..data_tmp"), join(directory, "..data"))
      if (old) rmSync(join(directory, `..${old}`), { recursive: true })
    }
    publish("1")
    symlinkSync("..data/a.yaml", join(directory, "a.yaml"))
    await observe()
    publish("2", "1")
    await observer.shows("a/2 b/2")
    publish("3", "2")
    await observer.shows("a/3 b/3")
    expect(new Set(observer.history)).toEqual(new Set(["a/1 b/1", "a/2 b/2", "a/3 b/3"]))
    expect(observer.codes).toEqual([])
  })

  test("the directory itself is a link that is swapped", async () => {
    const swap = (target: string) => {
      symlinkSync(target, join(base, "link.tmp"))
      renameSync(join(base, "link.tmp"), join(base, "link"))
    }
    write("a.yaml", one("a", "/1"), one("b", "/1"))
    mkdirSync(join(base, "next"))
    swap("manifests")
    directory = join(base, "link")
    await observe()
    writeFileSync(join(base, "next/a.yaml"), manifest(one("a", "/2")))
    swap("next")
    await observer.shows("a/2")
    write("a.yaml", one("a", "/3"))
    await observer.shows("a/3")
  })

  test("out of the directory are not followed, and are a Problem each; back in it they count", async () => {
    writeFileSync(join(base, "elsewhere.yaml"), manifest(one("x", "/1")))
    symlinkSync(join(base, "elsewhere.yaml"), join(directory, "file.yaml"))
    symlinkSync("/dev/zero", join(directory, "zero.yaml"))
    symlinkSync("/", join(directory, "root"))
    symlinkSync("/", join(directory, "root.yaml"))
    write("a.yaml", one("a", "/1"))
    await observe()
    expect(observer.history).toEqual(["a/1"])
    const names = ["file.yaml", "zero.yaml", "root", "root.yaml"]
    for (const name of names) expect(observer.problems.get(name)).toEqual(["file-unreadable"])
    write("a.yaml", one("a", "/2"))
    await observer.shows("a/2")
    unlinkSync(join(directory, "file.yaml"))
    symlinkSync("sub/.b", join(directory, "file.yaml"))
    write("sub/.b", one("b", "/1"))
    await observer.shows("a/2 b/1")
    unlinkSync(join(directory, "root"))
    unlinkSync(join(directory, "root.yaml"))
    unlinkSync(join(directory, "zero.yaml"))
    await until("no Problem", () => observer.codes.length === 0)
  })

  test("in circles: every file is read once", async () => {
    mkdirSync(join(directory, ".hidden/deep"), { recursive: true })
    for (const [target, path] of [
      [".", "here"],
      ["..", "sub/up"],
      ["../..", "sub/out"],
      [".hidden", "seen"],
      ["..", ".hidden/up"],
      ["../deep", ".hidden/deep/again"],
    ] as const)
      symlinkSync(target, join(directory, path))
    write("sub/a.yaml", one("a", "/1"))
    write(".hidden/deep/b.yaml", one("b", "/1"))
    await observe()
    expect(observer.history).toEqual(["a/1 b/1"])
    expect(observer.problems.get("seen/deep/again")).toEqual(["file-unreadable"])
    expect(observer.problems.get("sub/out")).toEqual(["file-unreadable"])
    expect(observer.codes).toHaveLength(2)
    write(".hidden/deep/b.yaml", one("b", "/2"))
    await observer.shows("a/1 b/2")
  })

  test("a mounted ConfigMap with paths: a directory behind a link", async () => {
    mkdirSync(join(directory, "..1/sites"), { recursive: true })
    write("..1/sites/a.yaml", one("a", "/1"))
    symlinkSync("..1", join(directory, "..data"))
    symlinkSync("..data/sites", join(directory, "sites"))
    await observe()
    expect(observer.history).toEqual(["a/1"])
  })
})

describe("files that would stop everything", () => {
  test("a pipe is not opened", async () => {
    execFileSync("mkfifo", [join(directory, "pipe.yaml")])
    write("a.yaml", one("a", "/1"))
    await observe()
    expect(observer.history).toEqual(["a/1"])
    expect(observer.codes).toEqual(["file-unreadable"])
  })

  const keys = Array.from({ length: 1_000_000 }, (_, i) => `k${i}: 1\n`).join("")
  const costly = [
    ["lists in lists in one line", "manifest-too-large", "- ".repeat(100_000)],
    ["brackets", "manifest-too-large", "[".repeat(100_000)],
    ["braces", "manifest-too-large", "{a: ".repeat(100_000)],
    ["a million keys", "manifest-too-large", keys],
    ["aliases of aliases", "not-yaml", aliasBomb()],
    ["aliases that nest", "not-yaml", nestingAliases()],
    ["a circle", "manifest-too-large", `a: &a {b: *a}\n`],
    ["11,000 keys", "manifest-too-large", keys.slice(0, 110_000)],
  ] as const

  async function readBeside(text: string): Promise<void> {
    write("a.yaml", one("a", "/1"))
    write("bad.yaml", one("b", "/1"))
    await observe()
    writeFileSync(join(directory, "bad.yaml"), `${manifest(one("c", "/1"))}---\n${text}\n`)
    for (let path = 2; observer.codes.length === 0; path += 1) {
      write("a.yaml", one("a", `/${path}`))
      await until("the change", () => observer.paths.get("a") === `/${path}`)
    }
  }

  test.each(costly)("%s: one Problem, and changes of others go on", async (_, code, text) => {
    await readBeside(text)
    expect(observer.codes).toEqual([code])
    expect([observer.paths.get("b"), observer.paths.get("c")]).toEqual(["/1", "/1"])
  })

  timed.each(costly)("%s: two seconds of the process at most", async (_, _code, text) => {
    atMost(2000, await longestTurnMs(() => readBeside(text)))
  })

  test("at the start, it is left out of the first batch", async () => {
    write("a.yaml", one("a", "/1"))
    writeFileSync(join(directory, "bad.yaml"), keys)
    writeFileSync(join(directory, "deep.json"), "[".repeat(100_000) + "]".repeat(100_000))
    await observe()
    expect(observer.history).toEqual(["a/1"])
    expect(observer.codes).toEqual(["manifest-too-large", "manifest-too-large"])
  })
})

/** Nine levels of ten aliases each. */
function aliasBomb(): string {
  const level = (i: number) =>
    `k${i}: &a${i} [${Array(10)
      .fill(`*a${i - 1}`)
      .join(", ")}]\n`
  return `k0: &a0 x\n${Array.from({ length: 9 }, (_, i) => level(i + 1)).join("")}`
}

/** Each a few levels deep, and all together 20,000. */
function nestingAliases(): string {
  const link = (i: number) => `k${i}: &a${i} [[[[[*a${i - 1}]]]]]\n`
  return `k0: &a0 x\n${Array.from({ length: 4000 }, (_, i) => link(i + 1)).join("")}`
}

describe("the directory", () => {
  test("that is gone is a Problem and takes nothing with it; when it is back, it counts again", async () => {
    write("a.yaml", one("a", "/1"))
    await observe()
    renameSync(directory, join(base, "away"))
    await until("a Problem", () => observer.codes.includes("directory-gone"))
    expect(observer.shown).toBe("a/1")
    mkdirSync(directory)
    write("a.yaml", one("a", "/2"))
    await observer.shows("a/2")
    await until("no Problem", () => observer.codes.length === 0)
  })

  test("that is not there at the start is a failure with a sentence", async () => {
    await observe()
    for (const missing of [join(base, "none"), import.meta.filename]) {
      const reading = manifestSource(missing).changes(AbortSignal.timeout(patienceMs))[Symbol.asyncIterator]()
      await expect(reading.next()).rejects.toThrow(/^Cannot read the directory ".*" of --manifests: /)
    }
  })
})
