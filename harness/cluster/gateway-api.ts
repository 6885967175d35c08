// The Gateway API in a cluster: its definitions, as build/gateway-crds.sh brings them.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseAllDocuments } from "yaml"
import { root } from "../paths.ts"
import { until } from "../until.ts"
import type { ApiServer } from "./api-server.ts"
import type { ApiObject, Client } from "./client.ts"

/** Puts the definitions and the rules about them into the API server, and waits until every kind is served. */
export async function installGatewayApi(server: ApiServer): Promise<void> {
  const objects = definitions()
  await server.admin.apply(...objects)
  for (const { kind, metadata } of objects)
    if (kind === "CustomResourceDefinition")
      await until(`${metadata.name} to be served`, () => isServed(server.admin, metadata.name))
}

function definitions(): ApiObject[] {
  const folder = join(root, "out/gateway-crds")
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"))
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as ApiObject))
}

async function isServed(client: Client, name: string): Promise<boolean> {
  const definition = await client.get("CustomResourceDefinition", name)
  const conditions: readonly { type: string; status: string }[] = definition?.status?.conditions ?? []
  return conditions.some(({ type, status }) => type === "Established" && status === "True")
}
