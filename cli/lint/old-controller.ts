import { type Options, parseFlags } from "../../controller/core/options/flags.ts"
import { recordOf } from "../../controller/model/objects/reader.ts"
import { Failure } from "../../controller/support/failure.ts"

/** How ingress-nginx was started. */
export interface OldController {
  /** for people: `Deployment ingress-nginx/ingress-nginx-controller`; "" where none was found */
  readonly name: string
  readonly args: readonly string[]
}

/** What is in the image of ingress-nginx, and in wick's. */
const program = /(?:^|\/)(?:nginx-ingress-controller|wick)$/

/** Those among Deployments and DaemonSets that run ingress-nginx. */
export function controllersIn(workloads: readonly unknown[]): readonly OldController[] {
  return workloads.flatMap((workload) => {
    const { kind, metadata, spec } = recordOf(workload)
    const { namespace: written, name } = recordOf(metadata)
    const namespace = typeof written === "string" && written !== "" ? written : "default"
    const containers = recordOf(recordOf(recordOf(spec).template).spec).containers
    if (!Array.isArray(containers)) return []
    return containers.flatMap((container) => {
      const words = [...texts(recordOf(container).command), ...texts(recordOf(container).args)]
      const at = words.findIndex((word) => program.test(word))
      if (at < 0) return []
      const args = words.slice(at + 1).map((word) => word.replaceAll("$(POD_NAMESPACE)", namespace))
      return [{ name: `${kind} ${namespace}/${name}`, args }]
    })
  })
}

/** @param wanted `namespace/name` of the one that is meant, "" for the only one @throws Failure when it is not clear which */
export function chooseController(all: readonly OldController[], wanted: string): OldController {
  const meant = all.filter(({ name }) => wanted === "" || name.endsWith(` ${wanted}`))
  const [first] = meant
  const names = all.map(({ name }) => name).join(", ")
  if (meant.length > 1)
    throw new Failure(
      "controller-unclear",
      `Several workloads run ingress-nginx: name one with --controller NAMESPACE/NAME (${names})`,
    )
  if (first === undefined && wanted !== "")
    throw new Failure(
      "controller-unclear",
      `Cannot find ${JSON.stringify(wanted)} of --controller: ${names === "" ? "nothing here runs ingress-nginx" : `write one of ${names}`}`,
    )
  return first ?? { name: "", args: [] }
}

/** The flags as the controller understands them. What it does not is left out and said. */
export function optionsOf(args: readonly string[]): { options: Options; badFlags: readonly string[] } {
  const parsed = parseFlags(args)
  if (parsed.kind === "run") return { options: parsed.options, badFlags: [] }
  const badFlags = parsed.kind === "wrong" ? parsed.errors : []
  const good = parseFlags(args.filter((arg) => parseFlags([arg]).kind === "run"))
  const plain = good.kind === "run" ? good : parseFlags([])
  if (plain.kind !== "run") throw new Error("no flags are wrong")
  return { options: plain.options, badFlags }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : []
}
