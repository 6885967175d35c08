import { stringify } from "yaml"

/** Text of a kubeconfig with one server and one user. The server may stand behind any address: its certificate is that of `localhost`. @param user as the format has it: `client-certificate`, `tokenFile`, … */
export function kubeconfig(server: string, ca: string, user: Readonly<Record<string, string>>): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: "test", cluster: { server, "certificate-authority": ca, "tls-server-name": "localhost" } },
    ],
    users: [{ name: "test", user }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
    "current-context": "test",
  })
}
