import { once } from "node:events"
import { chmod, link, rename, rm, stat } from "node:fs/promises"
import type { Server } from "node:net"
import { Failure, reasonOf, systemCode } from "../../support/failure.ts"
import type { Sockets } from "../render/site.ts"

/** @param ending of the files' names */
export function socketsIn(folder: string, ending: string): Sockets {
  const at = (name: string) => `${folder}/${name}.${ending}`
  return {
    control: at("control"),
    explain: at("http"),
    explainTls: at("https"),
    passthrough: at("tls"),
    streamTls: at("streams"),
  }
}

export function removeSockets(sockets: Sockets): Promise<void> {
  return ofEach(sockets, (path) => rm(path, { force: true }))
}

/**
 * Listens where a controller that was killed may have listened. Only this account may connect; the folder says so already.
 *
 * @throws Failure `cannot-listen`
 */
export async function listenOn(server: Server, path: string): Promise<void> {
  try {
    await rm(path, { force: true })
    server.listen(path)
    await once(server, "listening")
    await chmod(path, 0o600)
  } catch (cause) {
    throw new Failure("cannot-listen", `Cannot listen on "${path}": ${reasonOf(cause)}`, { cause })
  }
}

/** Only this account may connect; the folder says so already. */
export function closeToOthers(sockets: Sockets): Promise<void> {
  return ofEach(sockets, (path) => chmod(path, 0o600))
}

/** Gives the sockets of an nginx a second name each, under which they outlive the first. */
export function keepSockets(sockets: Sockets): Promise<void> {
  return ofEach(sockets, async (path) => {
    await rm(kept(path), { force: true })
    await link(path, kept(path))
  })
}

/** The first names again, in the place of what has them now. */
export function restoreSockets(sockets: Sockets): Promise<void> {
  return ofEach(sockets, (path) => rename(kept(path), path))
}

/** The first names are free afterwards; connected clients stay so. */
export function moveSocketsAway(sockets: Sockets): Promise<void> {
  return ofEach(sockets, (path) => rename(path, kept(path)))
}

/** Whether the first name is another nginx's by now. */
export async function isReplaced({ control }: Sockets): Promise<boolean> {
  const [first, second] = await Promise.all(
    [control, kept(control)].map((path) => stat(path).catch(() => undefined)),
  )
  return first !== undefined && second !== undefined && first.ino !== second.ino
}

export function removeKeptSockets(sockets: Sockets): Promise<void> {
  return ofEach(sockets, (path) => rm(kept(path), { force: true }))
}

const kept = (path: string) => `${path}.old`

/** Of those that there are: not every configuration has each. */
async function ofEach(sockets: Sockets, act: (path: string) => Promise<void>): Promise<void> {
  for (const path of Object.values(sockets)) {
    await act(path).catch((error: unknown) => {
      if (systemCode(error) !== "ENOENT") throw error
    })
  }
}
