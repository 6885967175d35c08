/** The Service that a host name means inside the cluster, if one of that name exists. Source: Kubernetes, "DNS for Services and Pods". */
export function serviceOfHost(
  host: string,
  namespace: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const [name = "", space = namespace, ...rest] = host.split(".")
  const isInside = rest.length === 0 || ["svc", "svc.cluster.local"].includes(rest.join("."))
  return isInside && space !== "" ? { namespace: space, name } : undefined
}
