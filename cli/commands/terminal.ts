import { styleText } from "node:util"

/** Where a command writes what it found. */
export interface Terminal {
  readonly write: (text: string) => void
  /** false where nobody looks at it, or colours are not wanted */
  readonly hasColours: boolean
  /** What the process is to end with if nothing goes wrong; 0 if nobody calls it. */
  readonly endWith?: (exitCode: number) => void
  /** How values are printed; absent: as JSON. */
  readonly valueText?: (value: unknown) => string
}

export type Style = "bold" | "dim" | "red" | "green" | "yellow"

export function paint({ hasColours }: Terminal, style: Style, text: string): string {
  return hasColours ? styleText(style, text, { validateStream: false }) : text
}

export function writeLines({ write }: Terminal, lines: readonly string[]): void {
  write(lines.map((line) => `${line}\n`).join(""))
}

/** What a program reads: as JSON, indented, so that people can as well, or as the terminal prints values. */
export function writeJson({ write, valueText = jsonText }: Terminal, value: unknown): void {
  write(valueText(value))
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
