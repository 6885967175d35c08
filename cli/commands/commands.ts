import { Failure } from "../../controller/support/failure.ts"
import { type Command, type ListedCommand, type Place, readAsked, type Topics } from "./command.ts"
import { commandHelp, findCommand } from "./command-help.ts"
import type { Terminal } from "./terminal.ts"

// The sub-commands: `wick NAME …` asks the nginx of a runtime directory what is in force there, `ui` and `problems` its controller; `problem`, `lint` and `convert`
// ask nobody, and `diff` what answers at two addresses. But for wait-shutdown, which ends it, and certgen, which has to do with the cluster, nothing here
// changes anything. Each is loaded when it is called.

/** By what they are for, in the order of the list. */
export const topics: Topics = {
  "What runs": [
    listed(
      "problems",
      "",
      "list what is wrong now, by code",
      async () => (await import("./problems.ts")).problems,
    ),
    listed(
      "explain",
      "URL|HOST [PATH]",
      "say what a request or a connection gets, and why",
      async () => (await import("./explain.ts")).explain,
    ),
    listed("routes", "[HOST [PATH]]", "list the routes", async () => (await import("./routes.ts")).routes),
    listed(
      "backends",
      "[NAME]",
      "list the backends with their endpoints",
      async () => (await import("./backends.ts")).backends,
    ),
    listed(
      "streams",
      "[PORT]",
      "list the ports of TCP and UDP services",
      async () => (await import("./streams.ts")).streams,
    ),
    listed(
      "certificates",
      "[HOST]",
      "list what TLS handshakes get",
      async () => (await import("./certificates.ts")).certificates,
    ),
    listed(
      "top",
      "[VIEW]",
      "watch requests, failures and endpoints",
      async () => (await import("./top.ts")).top,
    ),
    listed("ui", "", "serve a page with all of this, until Ctrl-C", async () => (await import("./ui.ts")).ui),
    listed(
      "policies",
      "[NAME]",
      "list the balancing policies",
      async () => (await import("./policies.ts")).policies,
    ),
    listed("conf", "", "print the nginx.conf", async () => (await import("./conf.ts")).conf),
  ],
  "From ingress-nginx": [
    listed(
      "lint",
      "[DIR]",
      "say which Ingresses would be served differently",
      async () => (await import("./lint.ts")).lint,
    ),
    listed(
      "diff",
      "OLD NEW [DIR]",
      "send both the same requests, and compare",
      async () => (await import("./diff.ts")).diff,
    ),
    listed(
      "convert",
      "[DIR]",
      "print objects of the Gateway API",
      async () => (await import("./convert.ts")).convert,
    ),
  ],
  Anywhere: [
    listed(
      "problem",
      "[CODE]",
      "say what a code means, and what to do",
      async () => (await import("./problem.ts")).problem,
    ),
    listed(
      "policy",
      "VERB [WHAT]",
      "write a balancing policy of your own",
      async () => (await import("./policy.ts")).policy,
    ),
    listed(
      "version",
      "",
      "print the versions of wick and nginx",
      async () => (await import("./version.ts")).version,
    ),
    listed(
      "completion",
      "bash|zsh|fish",
      "print what a shell completes",
      async () => (await import("./completion.ts")).completion,
    ),
    listed(
      "help",
      "[COMMAND]",
      "print this, or how a command is used",
      async () => (await import("./help.ts")).help,
    ),
  ],
  "For Pods": [
    listed(
      "wait-shutdown",
      "",
      "end the controller and wait until nginx has ended: for preStop hooks",
      async () => (await import("./wait-shutdown.ts")).waitShutdown,
    ),
    listed(
      "certgen",
      "VERB",
      "make the certificate of the admission webhook: for the Jobs of the chart",
      async () => (await import("./certgen.ts")).certgen,
    ),
    listed(
      "dbg",
      "WHAT [VERB] [NAME]",
      "answer as ingress-nginx's /dbg does, for its kubectl plugin",
      async () => (await import("./dbg.ts")).dbg,
    ),
  ],
}

function listed(
  name: string,
  operands: string,
  summary: string,
  load: () => Promise<Command>,
): ListedCommand {
  return { name, operands, summary, load }
}

/** @returns what is wrong, a sentence; undefined when all is well */
export async function runCommand(
  name: string,
  args: readonly string[],
  terminal: Terminal,
  place: Omit<Place, "topics">,
): Promise<string | undefined> {
  try {
    const found = findCommand(name, topics)
    const command = await found.load()
    const asked = readAsked(command, found.operands, args)
    if (asked === "help") terminal.write(commandHelp(found, command))
    else
      await command.run(asked, asked.format === "yaml" ? await inYaml(terminal) : terminal, {
        ...place,
        topics,
      })
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

async function inYaml(terminal: Terminal): Promise<Terminal> {
  const { stringify } = await import("yaml")
  return {
    ...terminal,
    valueText: (value) => stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 }),
  }
}
