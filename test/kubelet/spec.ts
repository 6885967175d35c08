// What the spec of a Pod says about the process of its container.
import type { ApiObject } from "../../harness/cluster/client.ts"
import { nodeAddress } from "./network.ts"

interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } }
}

interface ContainerSpec {
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[]
}

/** Command and arguments with `$(NAME)` replaced. The image's own command is not known: one of both has to be there. */
export function commandOf(
  { command = [], args = [] }: ContainerSpec,
  env: Readonly<Record<string, string>>,
): string[] {
  return [...command, ...args].map((word) => word.replace(/\$\((\w+)\)/g, (all, name) => env[name] ?? all))
}

/** The variables of its container. */
export function environmentOf(pod: ApiObject, address: string): Record<string, string> {
  const fields: Readonly<Record<string, string | undefined>> = {
    "metadata.name": pod.metadata.name,
    "metadata.namespace": pod.metadata.namespace,
    "spec.nodeName": pod.spec.nodeName,
    "status.podIP": address,
    "status.hostIP": nodeAddress,
  }
  const variables = (pod.spec.containers[0].env ?? []) as readonly Variable[]
  return Object.fromEntries(
    variables.map(({ name, value, valueFrom }) => [
      name,
      value ?? fields[valueFrom?.fieldRef?.fieldPath ?? ""] ?? "",
    ]),
  )
}

/** The number of a port that may be named. */
export function portOf({ ports = [] }: ContainerSpec, port: number | string): number {
  const named = ports.find(({ name }) => name === port)?.containerPort
  return typeof port === "number" ? port : (named ?? 0)
}
