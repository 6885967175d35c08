import { isIP } from "node:net"
import type { Endpoint } from "../../../model/backend.ts"
import type { NameAnswer } from "../../../model/name-answer.ts"
import type { Service } from "../../../model/objects/service.ts"
import type { Problem } from "../../../model/problem.ts"
import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import { shown } from "../../../model/shown.ts"
import { isName } from "../../../support/host-name.ts"
import { type EndpointRules, judgeEndpoint } from "../../../support/judge-endpoint.ts"
import { complaint } from "../../declared/problems.ts"

// Services of type ExternalName. DNS is asked elsewhere (facts/names); its answers come with the facts.

export interface External {
  readonly endpoints: readonly Endpoint[]
  readonly problems: readonly Problem[]
  /** why there are no endpoints: a phrase that fits after a colon */
  readonly fault?: string
}

/** What the name of an ExternalName Service is. */
type Target =
  | { readonly kind: "address" | "name"; readonly text: string }
  | { readonly kind: "refused"; readonly reason: string }

/** What is known of the name, and what may be done with it. */
export interface ExternalRules extends EndpointRules {
  /** `--disable-svc-external-name` */
  readonly isDisabled: boolean
  /** for `wantedName`; undefined: none yet */
  readonly answer: NameAnswer | undefined
}

/** The name that has to be looked up for this Service, as a key of `Facts.names`; undefined when there is none. */
export function wantedName(service: Service, isDisabled: boolean): string | undefined {
  if (service.type !== "ExternalName" || isDisabled) return undefined
  const target = targetOf(service)
  return target.kind === "name" ? target.text : undefined
}

/** @param port number or name as the object has it, "" when it has none */
export function externalEndpoints(service: Service, port: string, rules: ExternalRules): External {
  if (rules.isDisabled) return faulty("--disable-svc-external-name leaves out Services of type ExternalName")
  const number = externalPort(service, port)
  if (typeof number === "string") return faulty(number)
  const target = targetOf(service)
  if (target.kind === "refused") return faulty(target.reason)
  return target.kind === "address"
    ? withAddresses(service, [target.text], number, rules)
    : withAnswer(service, target.text, number, rules)
}

function targetOf({ externalName }: Service): Target {
  if (isIP(externalName) !== 0) return { kind: "address", text: externalName }
  const name = externalName.toLowerCase()
  if (/^(.+\.)?localhost\.?$/.test(name)) {
    return { kind: "refused", reason: `${shown(name)} means this machine, which is not allowed` }
  }
  return isName(name.replace(/\.$/, ""))
    ? { kind: "name", text: name }
    : {
        kind: "refused",
        reason: `its externalName ${shown(externalName)} is neither a DNS name nor an IP address`,
      }
}

/**
 * The port to connect to, or what is wrong: the numeric targetPort of the Service port, else that port's number, else the number that the
 * object names: such a Service need not have ports. Source: ingress-nginx, externalNamePorts.
 */
function externalPort({ ports }: Service, port: string): number | string {
  if (port === "") return "no port is named"
  const found = ports.find((candidate) => String(candidate.port) === port || candidate.name === port)
  if (found !== undefined) return typeof found.targetPort === "number" ? found.targetPort : found.port
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0
  return number >= 1 && number <= 65_535 ? number : `it has no port ${shown(port)}`
}

function withAnswer(service: Service, name: string, port: number, rules: ExternalRules): External {
  const { answer } = rules
  if (answer === undefined) return faulty(`DNS has not answered yet for ${shown(name)}`)
  if (answer.kind !== "found") return faulty(`no address for ${shown(name)}: ${answer.reason}`)
  const external = withAddresses(service, answer.addresses, port, rules)
  return answer.stale === undefined
    ? external
    : { ...external, problems: [...external.problems, staleProblem(service, name, answer.stale)] }
}

/** What stands behind a name outside of the cluster, or an address. @param answer for the name; undefined: none yet */
export function outsideEndpoints(
  host: string,
  port: number,
  { answer, ...rules }: EndpointRules & Pick<ExternalRules, "answer">,
): External {
  if (isIP(host) !== 0) return judged([host], port, rules)
  if (answer === undefined) return faulty("DNS has not answered yet")
  return answer.kind === "found" ? judged(answer.addresses, port, rules) : faulty(answer.reason)
}

/** The addresses that may be used; without any it is said why. */
function judged(addresses: readonly string[], port: number, rules: EndpointRules): External {
  const endpoints: Endpoint[] = []
  const reasons: string[] = []
  for (const text of addresses) {
    const verdict = judgeEndpoint(text, port, rules)
    if (verdict.kind === "usable") endpoints.push({ address: verdict.address, port })
    else reasons.push(`it is ${shown(text)}, and ${verdict.reason}`)
  }
  return endpoints.length > 0 ? { endpoints, problems: [] } : faulty(reasons.join("; "))
}

function withAddresses(
  service: Service,
  addresses: readonly string[],
  port: number,
  rules: EndpointRules,
): External {
  const endpoints: Endpoint[] = []
  const problems: Problem[] = []
  for (const text of addresses) {
    const verdict = judgeEndpoint(text, port, rules)
    if (verdict.kind === "usable") endpoints.push({ address: verdict.address, port })
    else problems.push(refusedAddress(service, text, verdict.reason))
  }
  return { endpoints, problems }
}

function refusedAddress(service: Service, address: string, reason: string): Problem {
  const from = address === service.externalName ? "" : ` of ${shown(service.externalName)}`
  const message = `Cannot use address ${shown(address)}${from}: ${reason}`
  return aboutName(service, "address-refused", message)
}

function staleProblem(
  service: Service,
  name: string,
  { since, reason }: { since: string; reason: string },
): Problem {
  return aboutName(service, "name-stale", staleMessage(name, { since, reason }))
}

export function staleMessage(name: string, stale: { since: string; reason: string }): string {
  return `Cannot look up ${shown(name)} since ${stale.since}: ${stale.reason}; the addresses it had are used`
}

function aboutName({ meta }: Service, code: ProblemCode, message: string): Problem {
  const { namespace, name } = meta
  return complaint({ kind: "Service", namespace, name }, "spec.externalName", code, message)
}

function faulty(fault: string): External {
  return { endpoints: [], problems: [], fault }
}
