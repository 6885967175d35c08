import { stringify } from "yaml"

/** Text of a kubeconfig with one server and one user. @param user as the format has it: `client-certificate`, `tokenFile`, … */
export function kubeconfig(server: string, ca: string, user: Readonly<Record<string, string>>): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "test", cluster: { server, "certificate-authority": ca } }],
    users: [{ name: "test", user }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
    "current-context": "test",
  })
}
