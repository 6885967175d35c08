// docs/policies.md, from nothing to traffic: its commands run as they are written, but for ports that others may have, and the policy that it shows is the
// one that they write.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { expect, test } from "vitest"
import { root } from "../../../harness/paths.ts"
import { freePorts } from "../../../harness/ports.ts"

const page = readFileSync(join(root, "docs/policies.md"), "utf8")

/** Blocks of a language. */
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, text = ""]) => text)

test("the policy on the page is that of the starter", () => {
  expect(blocks("ts")).toEqual([readFileSync(join(root, "policy-as/starter/policy.ts"), "utf8")])
})

/** Where a command would take a port that it does not name. */
const defaults = ["--healthz-port", "--status-port", "--stream-port", "--default-server-port"] as const

/** The page's commands, one after the other, with free ports. */
async function script(): Promise<string> {
  const ports = await freePorts(7)
  const flags = defaults.map((flag, i) => `${flag} ${ports[i + 3]}`).join(" ")
  const commands = blocks("sh")
    .join("\n")
    .replaceAll("8080", String(ports[0]))
    .replaceAll("8443", String(ports[1]))
    .replaceAll("9001", String(ports[2]))
    .replaceAll("10254", String(ports[3]))
    .replace("--runtime-dir run 2>", `--runtime-dir run ${flags} 2>`)
    // Workers add up what they have counted a few times per second; a person takes longer to ask. A worker that has just begun goes round its
    // endpoints until it has the policy: on a busy machine not all four requests are picks of it.
    .replace(
      /^wick policies .*$/m,
      (ask) => `until ${ask} | grep -Eq ' [1-4] +0 +0 '; do sleep 0.1; done\n${ask}`,
    )
  return ["set -eu", "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT", commands, "wait || true"].join("\n")
}

test("the commands of the page lead to traffic", async () => {
  const env = { ...process.env, NO_COLOR: "1", NODE_TEST_CONTEXT: undefined }
  const shell = spawn("bash", ["-c", await script()], { cwd: root, env })
  const status = new Promise((resolve) => shell.on("close", resolve))
  const [said, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  expect(await status, said + errors).toBe(0)
  expect(said).not.toContain("FAILED")
  expect(said).toMatch(/^ok {6}is even by weight: /m)
  expect(said).toMatch(/^ok {6}is taken by wick-policy, as by wick: /m)
  expect(said).toMatch(/^two-choices +\d+\.\d/m)
  expect(said).toMatch(/^ns per pick +10 endpoints/m)
  expect(said.match(/^from 127\.0\.0\.[12]$/gm)).toHaveLength(4)
  // In force, used by one backend, asked; it neither declined nor failed.
  expect(said).toMatch(/^two-choices +in force +[0-9a-f]{12} +1 +[1-4] +0 +0 /m)
})
