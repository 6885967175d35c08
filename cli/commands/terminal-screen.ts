import { emitKeypressEvents } from "node:readline"
import type { ReadStream, WriteStream } from "node:tty"
import type { Screen } from "./screen.ts"

// A terminal, drawn on as a whole. Sequences: ECMA-48, xterm's alternate screen.

const take = "\u001b[?1049h\u001b[?25l"
const giveBack = "\u001b[?25h\u001b[?1049l"
const home = "\u001b[H"
const clearLine = "\u001b[K"
const clearBelow = "\u001b[J"

/**
 * Undefined where nobody looks and types: input or output is no terminal.
 *
 * @param beforeEnd has something done before the process ends, whatever ends it
 */
export function screenOf(
  stdin: ReadStream,
  stdout: WriteStream,
  beforeEnd: (close: () => void) => void,
): (() => Screen) | undefined {
  return stdin.isTTY && stdout.isTTY ? () => openScreen(stdin, stdout, beforeEnd) : undefined
}

function openScreen(stdin: ReadStream, stdout: WriteStream, beforeEnd: (close: () => void) => void): Screen {
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    stdout.write(giveBack)
    stdin.setRawMode(false)
    stdin.pause()
  }
  emitKeypressEvents(stdin)
  stdin.setRawMode(true)
  stdin.resume()
  stdout.write(take)
  beforeEnd(close)
  return {
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    draw(lines) {
      if (isOpen) stdout.write(home + lines.map((line) => line + clearLine).join("\r\n") + clearBelow)
    },
    onKey(told) {
      stdin.on("keypress", (text: string | undefined, key: Key) => told(nameOf(text, key)))
      stdout.on("resize", () => told("resize"))
    },
    close,
  }
}

interface Key {
  readonly name?: string
  readonly ctrl?: boolean
}

function nameOf(text: string | undefined, { name, ctrl = false }: Key): string {
  if (ctrl) return `ctrl-${name}`
  const isPrinted = text !== undefined && text.length === 1 && text >= " " && text !== "\u007f"
  return isPrinted ? text : (name ?? "")
}
