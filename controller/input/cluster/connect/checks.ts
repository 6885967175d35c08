import { isRecord } from "../../../model/objects/reader.ts"
import { Failure } from "../../../support/failure.ts"
import { ApiFailure } from "../api.ts"
import { pathOf, pathOfObject } from "../kinds.ts"

// What has to be there for a start to make sense. Each check asks one thing.

/** Reads one path; the checks know nothing of retries. @throws ApiFailure */
export type Read = (path: string, query?: Readonly<Record<string, string>>) => Promise<unknown>

interface NamespacedName {
  readonly namespace: string
  readonly name: string
}

/** The Pod that this controller is. */
export interface OwnPod extends NamespacedName {
  /** "" when it may not be read */
  readonly uid: string
  /** none when it may not be read */
  readonly labels: Readonly<Record<string, string>>
}

/** What the API server has to offer: in older versions of Kubernetes it is missing. */
const needed = [
  { group: "networking.k8s.io/v1", resources: ["ingresses", "ingressclasses"], since: "1.19" },
  { group: "discovery.k8s.io/v1", resources: ["endpointslices"], since: "1.21" },
]

export function checkPodNames({ namespace, name }: NamespacedName): void {
  if (namespace !== "" && name !== "") return
  throw new Failure(
    "pod-unknown",
    "Cannot start without POD_NAME and POD_NAMESPACE: set them in the environment from metadata.name and metadata.namespace",
  )
}

/** @returns as `v1.31.2` */
export async function readVersion(read: Read): Promise<string> {
  const version = await read("/version")
  return isRecord(version) && typeof version.gitVersion === "string"
    ? version.gitVersion
    : "of unknown version"
}

/** What says something else than that it is not ready is, too: not everybody may ask, and `ok` is no JSON. @param read asks again while it says so */
export async function untilReady(read: Read): Promise<void> {
  await read("/readyz").catch((error: unknown) => {
    if (!(error instanceof ApiFailure)) throw error
  })
}

/** Who may not ask what there is learns it from the first list. */
export async function checkKinds(read: Read, version: string): Promise<void> {
  await Promise.all(
    needed.map(async ({ group, resources, since }) => {
      const found = await unless(403, unless(404, read(`/apis/${group}`), { resources: [] }), undefined)
      const missing = found === undefined ? undefined : resources.find((name) => !offers(found, name))
      if (missing !== undefined)
        throw new Failure(
          "kubernetes-old",
          `Cannot work with Kubernetes ${version}: it has no ${missing} of ${group}, which came with ${since}; upgrade Kubernetes`,
        )
    }),
  )
}

function offers(found: unknown, name: string): boolean {
  const resources = isRecord(found) && Array.isArray(found.resources) ? found.resources : []
  return resources.some((resource: unknown) => isRecord(resource) && resource.name === name)
}

/** @param flag as written on the command line */
export async function checkService(
  read: Read,
  { namespace, name }: NamespacedName,
  flag: string,
): Promise<void> {
  const path = pathOfObject("Service", { namespace, name })
  const found = await unless(404, read(path), undefined)
  if (found !== undefined) return
  throw new Failure(
    "service-missing",
    `Cannot find Service "${namespace}/${name}" of ${flag}: create it, or name one that exists`,
  )
}

/** @returns false when that may not be asked: rights in a namespace need not include one to read the Namespace itself */
export async function checkNamespace(read: Read, name: string): Promise<boolean> {
  const path = pathOfObject("Namespace", { namespace: "", name })
  const found = await unless(403, unless(404, read(path), undefined), false)
  if (found !== undefined) return found !== false
  throw new Failure(
    "namespace-missing",
    `Cannot find namespace "${name}" of --watch-namespace: create it, or name one that exists`,
  )
}

/** @returns undefined when it may not be read */
export async function readOwnPod(
  read: Read,
  { namespace, name }: NamespacedName,
): Promise<OwnPod | undefined> {
  const path = pathOfObject("Pod", { namespace, name })
  const pod = await unless(403, unless(404, read(path), null), undefined)
  if (pod === null)
    throw new Failure(
      "pod-missing",
      `Cannot find Pod "${namespace}/${name}" of POD_NAMESPACE and POD_NAME: set them from metadata.namespace and metadata.name`,
    )
  if (pod === undefined) return undefined
  const { uid, labels }: Readonly<Record<string, unknown>> =
    isRecord(pod) && isRecord(pod.metadata) ? pod.metadata : {}
  return { namespace, name, uid: typeof uid === "string" ? uid : "", labels: textsOf(labels) }
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  const entries = isRecord(value) ? Object.entries(value) : []
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  )
}

/** Whether IngressClasses may be listed. */
export async function mayReadClasses(read: Read): Promise<boolean> {
  const path = pathOf("IngressClass", "")
  return (await unless(403, read(path, { limit: "1" }), undefined)) !== undefined
}

/** @returns `otherwise` when the answer is a refusal with that status */
async function unless<T, U>(status: number, answer: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiFailure && error.status === status) return otherwise
    throw error
  }
}
