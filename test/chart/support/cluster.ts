// An API server for the objects of the chart: two families of addresses, privileged containers, and the kinds of other projects.
import { type ApiServer, startApiServer } from "../../../harness/cluster/api-server.ts"
import { until } from "../../../harness/until.ts"
import { crds } from "./crds.ts"

export async function startCluster(): Promise<ApiServer> {
  const server = await startApiServer(
    "--service-cluster-ip-range=10.96.0.0/16,fd00:10:96::/112",
    "--allow-privileged=true",
  )
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
  await Promise.all(
    crds.map(async (crd) => {
      const { metadata } = crd as unknown as { metadata: { name: string } }
      await server.admin.send("POST", definitions, { body: crd })
      const isServed = ({ type, status }: { type: string; status: string }) =>
        type === "Established" && status === "True"
      await until(`${metadata.name} to be served`, async () => {
        const found = (await server.admin.send("GET", `${definitions}/${metadata.name}`)) as {
          status?: { conditions?: { type: string; status: string }[] }
        }
        return (found.status?.conditions ?? []).some(isServed)
      })
    }),
  )
  return server
}
