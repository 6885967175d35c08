import { readFile, writeFile } from "node:fs/promises"
import { relative } from "node:path"
import { reasonIn } from "./check.ts"
import type { Layout } from "./files.ts"

// Why nginx did not start or reload. Its log goes to our stderr, where a controller cannot read it; what is an emergency to it, and only that
// ends a start or a reload, goes to a file as well.

/** Arguments for nginx; they hold for its reloads, too. The file is named from the runtime directory, nginx's prefix: so it needs no quotes. */
export function emergencyArguments(layout: Layout): string[] {
  return ["-g", `error_log ${relative(layout.dir, layout.emergencies)} emerg;`]
}

/** To be called before nginx is told something that it may refuse. */
export async function forgetEmergencies(layout: Layout): Promise<void> {
  // In place: an nginx that runs has the file open.
  await writeFile(layout.emergencies, "", { mode: 0o600 })
}

/** The reason in nginx's own words; undefined when it gave none, or was started by a controller that did not ask. */
export async function emergencyIn(layout: Layout): Promise<string | undefined> {
  const text = await read(layout)
  return text === "" ? undefined : reasonIn(text)
}

/**
 * Whether nginx has given up what it was told. It has not yet when it says that it cannot bind: while somebody else has a port it tries again for
 * some seconds. Source: nginx, ngx_open_listening_sockets.
 */
export async function hasGivenUp(layout: Layout): Promise<boolean> {
  const last = (await read(layout)).split("\n").filter(isEmergency).at(-1)
  return last !== undefined && !last.includes(": bind() to ")
}

const isEmergency = (line: string) => line.includes(" [emerg] ")

async function read(layout: Layout): Promise<string> {
  return (await readFile(layout.emergencies, "utf8").catch(() => "")).trim()
}
