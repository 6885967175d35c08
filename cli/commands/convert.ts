import type { Conversion } from "../convert/conversion.ts"
import { type Asked, type Command, one, usage } from "./command.ts"
import { controllerFlags, readObjects } from "./lint.ts"
import { printable } from "./table.ts"
import { writeJson } from "./terminal.ts"

/** As those of lint; 1 is what every command ends with that could not do what it was asked for. */
const exitCodes = { whole: 0, partly: 2, closed: 3, open: 4 } as const

export const convert: Command = {
  name: "convert",
  description: [
    "Reads Ingresses and what belongs to them from the manifests below DIR, or from a cluster with --kubeconfig, and prints YAML for the standard channel of Gateway API v1.7.",
    "What has no equivalent stands in comments in front of it. Routes of an Ingress lead nowhere that would be open to everybody without it.",
    "It writes nothing. Exit codes: 0 everything has its equivalent, 2 something does not or could not be read, 3 some Ingresses are closed, 4 some are open, 1 it could not be done.",
  ],
  flags: [
    ...controllerFlags,
    {
      name: "gateway",
      valueName: "NAMESPACE/NAME",
      meaning: "the Gateway that routes are attached to, default gateway/gateway",
    },
    { name: "gateway-class", valueName: "NAME", meaning: "its GatewayClass: whose implementation it is" },
    { name: "allow-open", meaning: "let routes lead to backends that are open to everybody then" },
    {
      name: "for-wick",
      meaning: "wick serves them: annotations that it reads on routes stay there, and the ConfigMap in force",
    },
  ],
  async run(asked, terminal, place) {
    const gateway = gatewayOf(asked)
    const [directory = ""] = asked.operands
    if ((directory === "") === (one(asked, "kubeconfig") === ""))
      throw usage(convert, "It needs either a directory or --kubeconfig FILE")
    const { given, controller } = await readObjects(asked, directory, place)
    const { convert: convertObjects } = await import("../convert/convert.ts")
    const allowsOpen = asked.flags["allow-open"] !== undefined
    const isForWick = asked.flags["for-wick"] !== undefined
    const options = { gateway, allowsOpen, isForWick, nowMs: Date.now() }
    const conversion = convertObjects(given, controller.options, options)
    if (asked.json) writeJson(terminal, conversion)
    else {
      const { yamlOf } = await import("../convert/print-yaml.ts")
      terminal.write(yamlOf(conversion).split("\n").map(printable).join("\n"))
    }
    terminal.endWith?.(exitCodeOf(conversion))
  },
}

function gatewayOf(asked: Asked) {
  const [namespace = "", name = "", ...more] = (one(asked, "gateway") || "gateway/gateway").split("/")
  const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
  if (!label.test(namespace) || !label.test(name) || more.length > 0)
    throw usage(convert, "Cannot use --gateway, write NAMESPACE/NAME")
  const gatewayClass = one(asked, "gateway-class")
  if (gatewayClass === "") throw usage(convert, "It needs --gateway-class NAME")
  return { namespace, name, gatewayClass }
}

function exitCodeOf({ remarks, closed }: Conversion): number {
  if (closed.length > 0) return exitCodes.closed
  if (remarks.some(({ kind }) => kind === "open")) return exitCodes.open
  return remarks.length === 0 ? exitCodes.whole : exitCodes.partly
}
