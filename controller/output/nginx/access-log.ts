import { execFileSync, spawn } from "node:child_process"
import { closeSync, constants, openSync, readFileSync, rmSync } from "node:fs"
import { Failure, systemCode } from "../../support/failure.ts"
import type { Layout } from "./files.ts"

/**
 * Where nginx writes the access log so that it comes out at our stdout. nginx opens `/dev/stdout` by its name, which Linux refuses when stdout
 * is a socket, as under systemd or a parent written in Node, or was opened by another account; then a pipe leads there, emptied by a process
 * that lives as long as nginx.
 *
 * @param isRunning an nginx runs already: it keeps what its configuration says, which leads to the stdout that it was started with
 */
export function accessLogPath(layout: Layout, isRunning: boolean): string {
  const usesPipe = isRunning
    ? readFileSync(layout.conf, "utf8").includes(layout.accessPipe)
    : !canReopenStdout()
  return usesPipe ? layout.accessPipe : stdout
}

const stdout = "/dev/stdout"

function canReopenStdout(): boolean {
  try {
    closeSync(openSync(stdout, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK))
    return true
  } catch {
    return false
  }
}

/**
 * Keeps somebody at the other end of the pipe, if there is one: nginx would wait for ever to open a pipe that nobody reads, also when it only checks,
 * and its reader ends with the last process of nginx.
 *
 * @returns lets go of it
 */
export function holdAccessPipe({ accessPipe }: Pick<Layout, "accessPipe">): () => void {
  try {
    const both = openSync(accessPipe, constants.O_RDWR | constants.O_NONBLOCK)
    return () => closeSync(both)
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error
    return () => {}
  }
}

/** When nobody takes our stdout any more, the pipe must still be emptied: nginx would wait for ever to open a pipe without a reader. */
const reader = "cat; exec cat >/dev/null"

/** Makes the pipe and starts its reader. @returns what to call when nginx has opened the pipe: from then on its end is the reader's end */
export function openAccessPipe(layout: Layout): () => void {
  rmSync(layout.accessPipe, { force: true })
  try {
    execFileSync("mkfifo", ["-m", "600", layout.accessPipe])
  } catch (cause) {
    throw new Failure("access-log", `Cannot make pipe "${layout.accessPipe}" for the access log`, { cause })
  }
  // Both ends: opening never waits for the other side, and the reader sees no end before nginx has come.
  const both = openSync(layout.accessPipe, constants.O_RDWR | constants.O_NONBLOCK)
  const readable = openSync(layout.accessPipe, constants.O_RDONLY)
  spawn("sh", ["-c", reader], { detached: true, stdio: [readable, "inherit", "inherit"] }).unref()
  closeSync(readable)
  return () => closeSync(both)
}
