import { shown } from "../../../model/shown.ts"
import { checkHost, isLabel } from "../../../support/host-name.ts"
import { family, key } from "../key.ts"
import { accepted, oneOf, type Parsed } from "../parser.ts"
import { none, type Syntax } from "../usage.ts"

/** Namespaces by host; `_` is every host that no rule names. */
export interface HostOwners {
  readonly [host: string]: string
}

const noOwners: HostOwners = {}

/** What nobody is called: a host whose line names no namespace is nobody's, rather than the first comer's. */
const nobody = ""

/** `shop.test: shop; *.apps.test: platform`; every host may have a line of its own. */
const hostOwners: Syntax<HostOwners> = {
  values:
    "`HOST: NAMESPACE`, several with semicolons or line breaks between them. The host `*.shop.test` is every name below `shop.test` that has no line of its own, `_` every host that no rule names",
  parse,
}

function parse(text: string): Parsed<HostOwners> {
  const owners: Record<string, string> = {}
  const faults: string[] = []
  for (const written of text.split(/[;\n]/)) {
    if (written.trim() === "") continue
    const [host = "", namespace = ""] = written.split(":", 2).map((part) => part.trim())
    const name = host.toLowerCase()
    if (name !== "_" && checkHost(name) !== undefined) {
      faults.push(`${shown(host)} is no host`)
      continue
    }
    const isUsable = isLabel(namespace) && (owners[name] ?? namespace) === namespace
    owners[name] = isUsable ? namespace : nobody
    if (!isUsable) faults.push(`${shown(name)} is nobody's, write HOST: NAMESPACE once`)
  }
  const value = Object.keys(owners).length === 0 ? noOwners : owners
  return faults.length === 0 ? accepted(value) : { ...accepted(value), remark: faults.join("; ") }
}

/** The namespace that the table names for a host; undefined: the table says nothing of it. */
export function ownerInTable(owners: HostOwners, host: string): string | undefined {
  if (owners === noOwners) return undefined
  if (Object.hasOwn(owners, host)) return owners[host]
  for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
    const wildcard = `*${host.slice(dot)}`
    if (Object.hasOwn(owners, wildcard)) return owners[wildcard]
  }
  return undefined
}

const crossNamespace = {
  values: "`allowed`, `same-host-paths` or `none`",
  parse: oneOf("allowed", "same-host-paths", "none"),
} as const

/** Ownership of hosts, and what others may add. */
export const ownership = family("Access control", {
  crossNamespace: key("cross-namespace", crossNamespace, "same-host-paths", {
    example: "none",
    description:
      "what Ingresses may say of a host that another namespace owns: `same-host-paths` lets them add paths, but nothing that concerns the host as a whole, nor the paths of others; with `none` their rules for it are left out; with `allowed` the older Ingress decides, whatever its namespace, as in ingress-nginx",
    whenRefused: { value: "same-host-paths", state: "cannot be used, so same-host-paths applies" },
  }),
  hostOwners: key("host-owner", hostOwners, "", {
    shownDefault: none,
    example: "shop.test: shop; *.apps.test: platform",
    description: "which namespace owns a host; without a line for it that of its oldest Ingress does",
  }),
})
