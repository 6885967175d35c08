import { join } from "node:path"
import type { Change } from "../../controller/input/provider/source.ts"
import { statusKinds } from "../../controller/model/object-status.ts"
import { isRecord } from "../../controller/model/objects/reader.ts"
import { type HelmRelease, releaseOf } from "./helm-values.ts"
import { type LintObjects, lintObjectsOf } from "./objects.ts"
import { chooseController, controllersIn, type OldController, optionsOf } from "./old-controller.ts"
import type { Locate } from "./sarif.ts"
import { namedIn } from "./subjects.ts"

/** Where everything is. */
export interface LintSources {
  /** one of both is "" */
  readonly directory: string
  readonly kubeconfig: string
  /** a file of Helm values; "" for none */
  readonly values: string
  /** `namespace/name`; "" for the only one */
  readonly controller: string
  /** further flags of the old controller */
  readonly flags: readonly string[]
  readonly service: { readonly host: string; readonly port: string }
  readonly release: string
}

/** Everything that `lint` asks for. */
export interface LintInput {
  readonly given: LintObjects
  readonly controller: ReturnType<typeof optionsOf>
  /** of the old controller, for people; "" where none was found */
  readonly name: string
  readonly locate: Locate
}

/** @throws Failure */
export async function readForLint(sources: LintSources): Promise<LintInput> {
  const release = sources.values === "" ? undefined : releaseOf(await readValues(sources.values))
  return sources.directory === "" ? fromCluster(sources, release) : fromDirectory(sources, release)
}

async function readValues(file: string): Promise<unknown> {
  const { readValuesFile } = await import("../../controller/input/manifests/written.ts")
  return readValuesFile(file)
}

async function fromDirectory(sources: LintSources, release: HelmRelease | undefined): Promise<LintInput> {
  const { readDirectory, readWritten } = await import("../../controller/input/manifests/written.ts")
  const changes = await readDirectory(sources.directory)
  const written = await readWritten(sources.directory, [
    ...["Deployment", "DaemonSet", "Ingress"],
    ...statusKinds,
  ])
  const controller = controllerOf(
    sources,
    release,
    written.map(({ value }) => value),
  )
  const parsed = optionsOf(controller.args)
  const given = lintObjectsOf([...changes, ...(release?.changes ?? [])], parsed.options, false)
  const places = new Map(
    written.map(({ value, file, line }) => [keyOf(value), { file: join(sources.directory, file), line }]),
  )
  return {
    given,
    controller: parsed,
    name: controller.name,
    locate: (kind, name) => places.get(`${kind} ${name}`),
  }
}

async function fromCluster(sources: LintSources, release: HelmRelease | undefined): Promise<LintInput> {
  const { ClusterReading } = await import("../../controller/input/cluster/whole-cluster.ts")
  const reading = await ClusterReading.open(sources)
  try {
    const controller = controllerOf(sources, release, await reading.workloads())
    const parsed = optionsOf(controller.args)
    const changes: Change[] = [...(await reading.objects()), ...(release?.changes ?? [])]
    let isComplete = true
    // the ConfigMap of the flags names further ones
    for (let round = 0; round < 2; round++) {
      const { objects } = lintObjectsOf(changes, parsed.options, isComplete)
      const more = await reading.named(namedIn(objects, parsed.options))
      changes.push(...more.changes)
      isComplete &&= more.isWhole
    }
    const given = lintObjectsOf(changes, parsed.options, isComplete)
    return { given, controller: parsed, name: controller.name, locate: () => undefined }
  } finally {
    reading.close()
  }
}

/** Values that were given win over what is there. */
function controllerOf(
  { controller, flags }: LintSources,
  release: HelmRelease | undefined,
  workloads: readonly unknown[],
): OldController {
  const { name, args } = release?.controller ?? chooseController(controllersIn(workloads), controller)
  return { name, args: [...args, ...flags] }
}

function keyOf({ kind, metadata }: Readonly<Record<string, unknown>>): string {
  const { namespace, name } = isRecord(metadata) ? metadata : {}
  return `${kind} ${namespace || "default"}/${name}`
}
