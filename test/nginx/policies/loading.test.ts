// What nginx executes as a policy: only what wick-policy has made, whole, and what nobody else could have written. Until it is so, and
// whenever it comes, requests are served.
import { chmod, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { backend, host, startPlane } from "../../../harness/plane.ts"
import {
  custom,
  type Policy,
  PolicyDirectory,
  policiesLocation,
  rowOf,
} from "../../../harness/policies/policies.ts"
import { fixedWat } from "../../../harness/policies/wat.ts"
import { until } from "../../../harness/until.ts"

const fileOf = (directory: PolicyDirectory, { digest }: Policy) => join(directory.path, `${digest}.cwasm`)

type Spoil = (file: string) => Promise<() => Promise<void>>

const spoilt: Readonly<Record<string, Spoil>> = {
  "a file that is not there yet": async (file) => {
    await rename(file, `${file}.later`)
    return () => rename(`${file}.later`, file)
  },
  "a file that others can write to": async (file) => {
    await chmod(file, 0o666)
    return () => chmod(file, 0o644)
  },
  "a file with another byte in its code": async (file) => {
    const whole = await readFile(file)
    const damaged = Buffer.from(whole)
    damaged.writeUInt8(damaged.readUInt8(5000) ^ 1, 5000)
    await writeFile(file, damaged)
    return () => writeFile(file, whole)
  },
  "half a file": async (file) => {
    const whole = await readFile(file)
    await writeFile(file, whole.subarray(0, whole.length / 2))
    return () => writeFile(file, whole)
  },
  "a directory that others can write to": async (file) => {
    await chmod(join(file, ".."), 0o777)
    return () => chmod(join(file, ".."), 0o755)
  },
}

test.each(Object.entries(spoilt))("%s is not loaded, and is once it is well", async (_, spoil) => {
  await using backends = await startBackends("a", "b", "c")
  await using directory = await PolicyDirectory.make()
  await using plane = await startPlane({
    workers: 1,
    inWasm: directory.directives,
    inServer: policiesLocation,
  })
  const policy = await directory.add("fixed", fixedWat(2))
  const heal = await spoil(fileOf(directory, policy))
  await plane.apply({
    backends: { set: [{ ...backend("shop", backends), ...custom(policy) }] },
    routes: { set: [host("shop.test", "shop")] },
  })
  const ask = async () => {
    const { status, body } = await plane.nginx.get("/", { host: "shop.test" })
    expect(status).toBe(200)
    return body
  }
  const names = new Set<string>()
  for (let n = 0; n < 6; n += 1) names.add(await ask())
  expect(names).toEqual(new Set(["a", "b", "c"]))
  expect((await plane.counters()).faults).toBe(0)
  expect(plane.nginx.errorLog()).toContain('policy "fixed" failed in start: Cannot load')

  await heal()
  await until("the policy to choose", async () => {
    const [one, two] = [await ask(), await ask()]
    return one === "c" && two === "c"
  })
  await until("its picks to be counted", async () => ((await rowOf(plane, policy))?.picks ?? 0) > 0)
})

test("one file does not pass for another policy's", async () => {
  await using backends = await startBackends("a", "b")
  await using directory = await PolicyDirectory.make()
  await using plane = await startPlane({ workers: 1, inWasm: directory.directives })
  const [good, other] = [await directory.add("good", fixedWat(0)), await directory.add("other", fixedWat(1))]
  await rename(fileOf(directory, other), fileOf(directory, good))
  await plane.apply({
    backends: { set: [{ ...backend("shop", backends), ...custom(good) }] },
    routes: { set: [host("shop.test", "shop")] },
  })
  const names = new Set<string>()
  for (let n = 0; n < 4; n += 1) names.add((await plane.nginx.get("/", { host: "shop.test" })).body)
  expect(names).toEqual(new Set(["a", "b"]))
  expect(plane.nginx.errorLog()).toContain("it is damaged, or of another module or version")
})
