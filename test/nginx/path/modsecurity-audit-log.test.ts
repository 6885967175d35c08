// ModSecurity's audit log: a file for each request that rules have logged, where the operator says, and no more of them than there is room for.
import {
  chmodSync,
  type Dirent,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
let folder: string
beforeAll(async () => {
  site = await Site.start(["one"])
  folder = mkdtempSync(join(tmpdir(), "wick-audit-"))
  // Workers are another account.
  chmodSync(folder, 0o777)
  site.configure({ "modsecurity-audit-log": folder, "modsecurity-audit-log-max-size": "1m" })
  const annotations = {
    "enable-modsecurity": "true",
    "modsecurity-snippet":
      'SecRuleEngine On\nSecAuditEngine RelevantOnly\nSecAuditLogRelevantStatus "^403$"\nSecAuditLogParts ABFHZ\nSecRule ARGS:q "@streq bad" "id:1001,phase:1,log,auditlog,deny,status:403"',
    "modsecurity-transaction-id": "shop-$request_id",
  }
  await site.put(...site.service("app", "one"), ingress("demo/app", "audit.test/ → app:80", annotations))
  await until("the rules to be in force", async () => (await status("bad")) === 403)
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const status = async (word: string, path = "/") =>
  (await site.get(`${path}?q=${word}`, { host: "audit.test" })).status
const files = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile())
const of = (path: string) => files().filter((file) => textOf(file).includes(`GET ${path}?q=`))
const textOf = ({ name, parentPath }: Dirent) => readFileSync(join(parentPath, name), "utf8")

test("each request that rules log is a file, called as the Ingress says; others leave none", async () => {
  await status("good", "/good")
  await status("bad", "/bad")
  await until("the request's file", () => of("/bad").some((file) => textOf(file).includes('id "1001"')))
  expect(of("/bad")).toHaveLength(1)
  expect(of("/good")).toEqual([])
  for (const { name, parentPath } of of("/bad")) {
    expect(name).toMatch(/^\d{8}-\d{6}-shop-[0-9a-f]{32}$/)
    expect(statSync(join(parentPath, name)).mode & 0o777).toBe(0o640)
  }
})

test("the oldest files go when there are more than there is room for, and what is not of the log stays", async () => {
  mkdirSync(join(folder, "other"))
  const room = 1024 ** 2 / 4096
  const oldest = files().map(({ name }) => name)
  for (let sent = 0; sent < room + 50; sent += 1) await status("bad")
  await until("the log to be pruned", () => files().length <= room)
  const left = files().map(({ name }) => name)
  expect(left).toHaveLength(room)
  expect(left.filter((name) => oldest.includes(name))).toEqual([])
  expect(readdirSync(folder)).toContain("other")
  expect(await status("bad")).toBe(403)
})
