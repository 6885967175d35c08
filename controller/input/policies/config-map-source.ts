import { fieldPath } from "../../model/field-path.ts"
import type { ConfigMap } from "../../model/objects/config-map.ts"
import type { Problem } from "../../model/problem.ts"
import { getOrMake } from "../../support/maps.ts"
import {
  digestOf,
  maxSignatureBytes,
  moduleFault,
  moduleFile,
  type PolicyModule,
  type PolicySource,
  partOf,
  signatureFile,
} from "./module.ts"

const known = new WeakMap<ConfigMap, PolicySource>()

/** The policies in a ConfigMap's `binaryData`; their signatures may be in `data`, too. */
export function policiesIn(configMap: ConfigMap): PolicySource {
  return getOrMake(known, configMap, () => read(configMap))
}

function read(configMap: ConfigMap): PolicySource {
  const modules = new Map<string, PolicyModule>()
  const problems: Problem[] = []
  for (const [key, bytes] of Object.entries(configMap.binaryData ?? {})) {
    const part = partOf(key)
    if (part?.kind === "signature") continue
    const fault = moduleFault(part?.name ?? "", bytes.length)
    if (part === undefined || fault !== undefined) problems.push(problemOf(configMap, key, fault ?? ""))
    else modules.set(part.name, moduleOf(part.name, bytes, configMap))
  }
  return { modules, problems }
}

function moduleOf(name: string, bytes: Uint8Array, configMap: ConfigMap): PolicyModule {
  const signature = signatureOf(name, configMap)
  return {
    name,
    digest: digestOf(bytes),
    ...(signature !== undefined && { signature }),
    read: async () => bytes,
  }
}

function signatureOf(name: string, { data, binaryData = {} }: ConfigMap): string | undefined {
  const key = signatureFile(name)
  const bytes = binaryData[key]
  const text = data[key] ?? (bytes && Buffer.from(bytes).toString())
  return text !== undefined && text.length <= maxSignatureBytes ? text : undefined
}

/** Both together; what a directory has comes before what a ConfigMap has under the same name. */
export function together(directory: PolicySource, configMap: ConfigMap): PolicySource {
  const second = policiesIn(configMap)
  const twice = [...second.modules.keys()].filter((name) => directory.modules.has(name))
  const reason = "there is one of this name below --policies, which is used"
  return {
    modules: new Map([...second.modules, ...directory.modules]),
    problems: [
      ...directory.problems,
      ...second.problems,
      ...twice.map((name) => problemOf(configMap, moduleFile(name), reason)),
    ],
  }
}

function problemOf({ meta: { namespace, name } }: ConfigMap, key: string, fault: string): Problem {
  return {
    object: { kind: "ConfigMap", namespace, name },
    field: fieldPath("binaryData", [key]),
    code: "policy-source-unusable",
    message: `Cannot use ${JSON.stringify(key)} as a balancing policy: ${fault}`,
  }
}
