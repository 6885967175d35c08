// What a Pod mounts of Secrets and ConfigMaps: their keys as files. Volumes of other kinds are not known here.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ApiObject, Client } from "../../harness/cluster/client.ts"
import { until } from "../../harness/until.ts"

interface Keys {
  /** all of them without */
  readonly items?: readonly { readonly key: string; readonly path: string }[]
}
interface Volume {
  readonly name: string
  readonly secret?: Keys & { readonly secretName: string }
  readonly configMap?: Keys & { readonly name: string }
}
interface Mount {
  readonly name: string
  readonly mountPath: string
}

/** Writes them below the folder, each when its object is there. @returns path inside the container → folder */
export async function writeVolumes(
  pod: ApiObject,
  dir: string,
  client: Client,
): Promise<Readonly<Record<string, string>>> {
  const mounts = (pod.spec.containers[0].volumeMounts ?? []) as readonly Mount[]
  const written: Record<string, string> = {}
  for (const volume of (pod.spec.volumes ?? []) as readonly Volume[]) {
    const files = await filesOf(volume, pod.metadata.namespace ?? "", client)
    if (files === undefined) continue
    const folder = join(dir, "volumes", volume.name)
    mkdirSync(folder, { recursive: true })
    for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content)
    for (const { name, mountPath } of mounts) if (name === volume.name) written[mountPath] = folder
  }
  return written
}

async function filesOf(
  { secret, configMap }: Volume,
  namespace: string,
  client: Client,
): Promise<Record<string, Buffer> | undefined> {
  if (secret !== undefined) {
    const { data } = await found("Secret", `${namespace}/${secret.secretName}`, client)
    return chosen(data ?? {}, "base64", secret)
  }
  if (configMap !== undefined) {
    const { data } = await found("ConfigMap", `${namespace}/${configMap.name}`, client)
    return chosen(data ?? {}, "utf8", configMap)
  }
  return undefined
}

/** A Pod waits for what it mounts. */
function found(kind: string, name: string, client: Client): Promise<ApiObject> {
  return until(`the ${kind} ${name} that a Pod mounts`, () => client.get(kind, name))
}

function chosen(
  data: Readonly<Record<string, string>>,
  encoding: BufferEncoding,
  { items = Object.keys(data).map((key) => ({ key, path: key })) }: Keys,
): Record<string, Buffer> {
  return Object.fromEntries(items.map(({ key, path }) => [path, Buffer.from(data[key] ?? "", encoding)]))
}
