import { type InForce, readConf } from "../../controller/inspect/in-force.ts"
import { Failure } from "../../controller/support/failure.ts"
import { certificates } from "./certificates.ts"
import { type Asked, type Command, usage, withRunning } from "./command.ts"
import { routeLines } from "./routes.ts"
import { printable } from "./table.ts"
import { type Terminal, writeJson, writeLines } from "./terminal.ts"

const taken = "backends all, backends list, backends get NAME, certs get HOST, conf, or general"

/** What ingress-nginx's kubectl plugin calls in Pods: the words and the JSON are those of its `/dbg`. */
export const dbg: Command = {
  name: "dbg",
  words: ["backends", "certs", "conf", "general"],
  description: [
    `Takes ${taken}.`,
    "Private keys are never shown: certs get HOST says what wick certificates HOST says.",
  ],
  flags: [
    { name: "status-port", valueName: "PORT", meaning: "without effect: there is no such port to ask" },
  ],
  run: (asked, terminal, place) => {
    const [what, verb = "", name = ""] = asked.operands
    switch (what) {
      case "backends":
        return withRunning(asked, (inForce) => showBackends(inForce, verb, name, terminal))
      case "certs":
        if (verb !== "get" || name === "") throw usage(dbg, "certs takes: get HOST")
        return certificates.run(withOperands(asked, name), terminal, place)
      case "conf":
        return withRunning(asked, (inForce) => showConf(inForce, terminal))
      case "general":
        writeJson(terminal, {})
        return Promise.resolve()
      default:
        throw usage(
          dbg,
          `${what === undefined ? "What is asked for is missing" : `Unknown argument "${what}"`}, it takes ${taken}`,
        )
    }
  },
}

async function showBackends(inForce: InForce, verb: string, name: string, terminal: Terminal): Promise<void> {
  switch (verb) {
    case "all":
      return writeJson(terminal, await inForce.backends())
    case "list":
      return writeLines(
        terminal,
        (await inForce.backends()).map((backend) => backend.name),
      )
    case "get": {
      const backend = await inForce.backend(name)
      if (backend === undefined) throw new Failure("nothing", `A backend of the name ${name} was not found`)
      return writeJson(terminal, backend)
    }
    default:
      throw usage(dbg, "backends takes: all, list, or get NAME")
  }
}

/**
 * nginx.conf, and behind it each host as a comment between the lines by which `conf --host` of the plugin cuts it out: hosts are not in nginx.conf.
 * Source: ingress-nginx, internal/nginx, GetServerBlock.
 */
async function showConf(inForce: InForce, terminal: Terminal): Promise<void> {
  const { text } = await readConf(inForce.layout)
  terminal.write(text)
  const byHost = Map.groupBy(await inForce.hosts(), ({ host }) => host)
  for (const [host, servers] of byHost)
    writeLines(terminal, [
      `## start server ${printable(host)}`,
      "# What is known of a host is data, and no part of nginx.conf:",
      ...routeLines(servers).map((line) => `# ${line}`),
      `## end server ${printable(host)}`,
    ])
}

function withOperands(asked: Asked, ...operands: readonly string[]): Asked {
  return { ...asked, operands }
}
