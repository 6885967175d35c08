import type { Task } from "../certgen/run.ts"
import type { WantedWebhooks } from "../certgen/webhooks.ts"
import { type Asked, type Command, usage } from "./command.ts"

/** Its flags and words are those of ingress-nginx's kube-webhook-certgen, whose place it takes. */
export const certgen: Command = {
  name: "certgen",
  words: ["create", "patch"],
  description: [
    "create makes sure that a Secret has a certificate for all --host, from an authority of its own whose key is thrown away (keys cert, key and ca). One that is good stays; one that is not for a host, ends within 90 days or fits nothing is renewed.",
    "patch has the webhook configurations of a name trust the authorities in the Secret.",
  ],
  flags: [
    { name: "namespace", valueName: "NAMESPACE", meaning: "of the Secret" },
    { name: "secret-name", valueName: "NAME", meaning: "the Secret" },
    { name: "host", valueName: "HOSTS", meaning: "create: DNS names and IP addresses, separated by commas" },
    {
      name: "cert-name",
      valueName: "KEY",
      meaning: "create: key of the certificate in the Secret; cert when absent",
    },
    { name: "key-name", valueName: "KEY", meaning: "create: key of its key in the Secret; key when absent" },
    {
      name: "webhook-name",
      valueName: "NAME",
      meaning:
        "patch: the configurations; create: those that trust a new authority before the Secret has its certificate",
    },
    {
      name: "patch-validating",
      valueName: "BOOL",
      meaning: "patch: the ValidatingWebhookConfiguration; true when absent",
    },
    {
      name: "patch-mutating",
      valueName: "BOOL",
      meaning: "patch: the MutatingWebhookConfiguration; true when absent",
    },
    {
      name: "patch-failure-policy",
      valueName: "POLICY",
      meaning: "patch: Fail or Ignore; as it is when absent",
    },
    { name: "apiservice-name", valueName: "NAME", meaning: "patch: an APIService, too" },
    { name: "kubeconfig", valueName: "FILE", meaning: "the Pod's service account when absent" },
    { name: "log-format", valueName: "WORD", meaning: "without effect: lines are JSON" },
    { name: "log-level", valueName: "WORD", meaning: "without effect: there is a line for each change" },
  ],
  async run(asked, { write }, place) {
    const task = taskOf(asked)
    // what makes certificates is of no use to anybody else
    const { runCertgen } = await import("../certgen/run.ts")
    await runCertgen(task, { kubeconfig: one(asked, "kubeconfig"), ...place, write })
  },
}

/** What is missing on the command line is said before anybody is asked. @throws Failure `usage` */
function taskOf(asked: Asked): Task {
  switch (asked.operands[0]) {
    case "create":
      return { kind: "create", secret: wantedSecret(asked) }
    case "patch":
      return patching(asked)
    default:
      throw usage(certgen, "It takes create or patch")
  }
}

function wantedSecret(asked: Asked) {
  const hosts = one(asked, "host")
    .split(",")
    .map((host) => host.trim())
    .filter((host) => host !== "")
  if (hosts.length === 0) throw usage(certgen, "create needs --host=HOSTS")
  const webhooks = webhooksOf(asked)
  return {
    ...secretOf(asked),
    hosts,
    certKey: one(asked, "cert-name") || "cert",
    keyKey: one(asked, "key-name") || "key",
    ...(webhooks && { webhooks }),
  }
}

function patching(asked: Asked): Task {
  const webhooks = webhooksOf(asked)
  const apiService = one(asked, "apiservice-name")
  if (webhooks === undefined && apiService === "") throw usage(certgen, "patch needs --webhook-name=NAME")
  return { kind: "patch", secret: secretOf(asked), apiService, ...(webhooks && { webhooks }) }
}

function webhooksOf(asked: Asked): WantedWebhooks | undefined {
  const name = one(asked, "webhook-name")
  const failurePolicy = policyOf(asked)
  const kinds = (["validating", "mutating"] as const).filter((kind) => isOn(asked, `patch-${kind}`))
  return name === "" ? undefined : { name, kinds, ...(failurePolicy !== "" && { failurePolicy }) }
}

function secretOf(asked: Asked): { readonly namespace: string; readonly name: string } {
  const [namespace, name] = [one(asked, "namespace"), one(asked, "secret-name")]
  if (namespace === "") throw usage(certgen, "It needs --namespace=NAMESPACE")
  if (name === "") throw usage(certgen, "It needs --secret-name=NAME")
  return { namespace, name }
}

function policyOf(asked: Asked): string {
  const policy = one(asked, "patch-failure-policy")
  if (["", "Fail", "Ignore"].includes(policy)) return policy
  throw usage(certgen, `Cannot use --patch-failure-policy=${policy}, write Fail or Ignore`)
}

function isOn(asked: Asked, name: string): boolean {
  const text = one(asked, name)
  if (["", "true", "1"].includes(text)) return true
  if (["false", "0"].includes(text)) return false
  throw usage(certgen, `Cannot use --${name}=${text}, write true or false`)
}

/** The last occurrence; "" without one. */
function one({ flags }: Asked, name: string): string {
  const value = flags[name]?.at(-1)
  return typeof value === "string" ? value : ""
}
