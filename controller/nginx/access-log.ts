import { execFileSync, spawn } from "node:child_process"
import { closeSync, constants, fstatSync, openSync, rmSync, statSync } from "node:fs"
import { Failure } from "../support/failure.ts"
import type { Layout } from "./files.ts"

/**
 * Where nginx writes the access log so that it comes out at our stdout. nginx opens `/dev/stdout` by its name, which Linux refuses when stdout
 * is a socket, as under systemd or a parent written in Node; then a pipe leads there, emptied by a process that lives as long as nginx.
 *
 * @param masterPid of an nginx that runs already, whose stdout counts instead of ours
 */
export function accessLogPath(layout: Layout, masterPid?: number): string {
  return isSocket(masterPid) ? layout.accessPipe : "/dev/stdout"
}

function isSocket(masterPid?: number): boolean {
  try {
    return (masterPid === undefined ? fstatSync(1) : statSync(`/proc/${masterPid}/fd/1`)).isSocket()
  } catch {
    return false // closed, or not ours to look at
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
