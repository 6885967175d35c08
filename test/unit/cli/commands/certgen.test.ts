import { expect, test } from "vitest"
import { runSubCommand } from "../../../support/sub-command.ts"

const run = async (...args: readonly string[]) => (await runSubCommand("certgen", ...args)).failure

const secret = ["--namespace=ingress", "--secret-name=admission"]

test.each([
  [[], "It takes create or patch"],
  [["destroy"], "It takes create or patch"],
  [["create", ...secret], "create needs --host=HOSTS"],
  [["create", "--host=a", "--secret-name=b"], "It needs --namespace=NAMESPACE"],
  [["patch", ...secret], "patch needs --webhook-name=NAME"],
  [["patch", ...secret, "--webhook-name=a", "--patch-mutating=maybe"], "Cannot use --patch-mutating=maybe"],
  [["patch", ...secret, "--webhook-name=a", "--patch-failure-policy=Maybe"], "write Fail or Ignore"],
])("%j is answered before anybody is asked", async (args, sentence) => {
  expect(await run(...args)).toContain(sentence)
})

test("the arguments of the chart's Jobs are taken, and an API server is asked for next", async () => {
  const create = ["create", "--host=admission,admission.ingress.svc", ...secret]
  const webhook = ["--webhook-name=admission", "--patch-mutating=false"]
  for (const args of [
    create,
    [...create, ...webhook],
    ["patch", ...secret, ...webhook, "--patch-failure-policy=Fail"],
  ])
    expect(await run(...args)).toContain("Cannot start without objects")
})
