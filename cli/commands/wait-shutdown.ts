import { shutDown } from "../../controller/output/nginx/shutdown.ts"
import type { Command } from "./command.ts"

export const waitShutdown: Command = {
  name: "wait-shutdown",
  description: [
    "Has clients leave for ten seconds, or as long as --shutdown-grace-period says, ends the controller, and returns when nginx has answered what it had begun. As a preStop hook of a Pod it takes the place of ingress-nginx's /wait-shutdown.",
  ],
  run: ({ runtimeDir }) => shutDown(runtimeDir),
}
