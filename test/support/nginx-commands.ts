import { readFileSync } from "node:fs"

// The directives that a build of nginx has, read from its tables of commands: who may write which directive where is data in the program file.
// Sources: System V ABI, "Object Files"; nginx, ngx_module_t and ngx_command_t.

/** A directive as nginx declares it. */
export interface Command {
  /** `ngx_http_gzip_filter_module` */
  readonly module: string
  readonly name: string
  /** NGX_HTTP_MAIN_CONF, NGX_CONF_TAKE1 … */
  readonly type: number
}

/** Of a program or a module of 64 bits. */
export function commandsOf(path: string): readonly Command[] {
  const image = new Image(readFileSync(path))
  return image.symbols
    .filter(({ name }) => /^ngx_\w+_module$/.test(name))
    .flatMap(({ name, address }) => commandsAt(image, name, address))
}

/** Bytes before `commands` in ngx_module_t, and of one ngx_command_t. */
const beforeCommands = 64
const commandBytes = 56

function commandsAt(image: Image, module: string, address: number): readonly Command[] {
  const commands: Command[] = []
  const first = image.has(address) ? image.pointer(address + beforeCommands) : 0
  for (let at = first; at !== 0; at += commandBytes) {
    const length = image.word(at)
    if (length === 0) break
    const name = image.text(image.pointer(at + 8), length)
    commands.push({ module, name, type: image.word(at + 16) })
  }
  return commands
}

interface Section {
  readonly type: number
  readonly address: number
  readonly offset: number
  readonly size: number
  readonly link: number
}

const symbolTable = 11
const relocations = 4
const withoutBytes = 8
const relative = 8n

class Image {
  readonly symbols: readonly { readonly name: string; readonly address: number }[]
  readonly #bytes: Buffer
  readonly #sections: readonly Section[]
  /** what the loader writes, by where */
  readonly #pointers = new Map<number, number>()

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#sections = this.#readSections()
    this.symbols = this.#readSymbols()
    for (const { type, offset, size } of this.#sections)
      for (let at = offset; type === relocations && at < offset + size; at += 24) this.#relocate(at)
  }

  has(address: number): boolean {
    return address !== 0 && this.#offset(address) !== undefined
  }

  word(address: number): number {
    const offset = this.#offset(address)
    return offset === undefined ? 0 : this.#number(offset)
  }

  pointer(address: number): number {
    return this.#pointers.get(address) ?? this.word(address)
  }

  text(address: number, length: number): string {
    const offset = this.#offset(address) ?? 0
    return this.#bytes.toString("latin1", offset, offset + length)
  }

  #number(offset: number): number {
    return Number(this.#bytes.readBigUInt64LE(offset))
  }

  #readSections(): readonly Section[] {
    const [first, bytes, count] = [
      this.#number(0x28),
      this.#bytes.readUInt16LE(0x3a),
      this.#bytes.readUInt16LE(0x3c),
    ]
    return Array.from({ length: count }, (_, nth) => {
      const at = first + nth * bytes
      const [address, offset, size] = [this.#number(at + 16), this.#number(at + 24), this.#number(at + 32)]
      return {
        type: this.#bytes.readUInt32LE(at + 4),
        address,
        offset,
        size,
        link: this.#bytes.readUInt32LE(at + 40),
      }
    })
  }

  #readSymbols(): readonly { name: string; address: number }[] {
    const table = this.#sections.find(({ type }) => type === symbolTable)
    const names = table && this.#sections[table.link]
    if (table === undefined || names === undefined) throw new Error("It exports no symbols")
    return Array.from({ length: table.size / 24 }, (_, nth) => {
      const at = table.offset + nth * 24
      const start = names.offset + this.#bytes.readUInt32LE(at)
      return {
        name: this.#bytes.toString("latin1", start, this.#bytes.indexOf(0, start)),
        address: this.#number(at + 8),
      }
    })
  }

  /** Only what stands in the file itself: the places of other files' functions are not needed. */
  #relocate(at: number): void {
    const kind = this.#bytes.readBigUInt64LE(at + 8) & 0xffffffffn
    if (kind === relative) this.#pointers.set(this.#number(at), this.#number(at + 16))
  }

  #offset(address: number): number | undefined {
    const section = this.#sections.find(
      (it) =>
        it.type !== withoutBytes &&
        it.address !== 0 &&
        address >= it.address &&
        address < it.address + it.size,
    )
    return section && section.offset + address - section.address
  }
}
