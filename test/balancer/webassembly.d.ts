/** What the tests and the laboratory use of WebAssembly: neither es2024 nor @types/node declare it, and `dom` would declare too much. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
    static exports(module: Module): { name: string; kind: string }[]
    static imports(module: Module): { module: string; name: string; kind: string }[]
  }
  class Instance {
    constructor(module: Module, imports: Imports)
    readonly exports: Record<string, unknown>
  }
  type Imports = Record<string, Record<string, (...args: number[]) => number>>
  class Memory {
    /** in pages of 64 KiB */
    constructor(size: { readonly initial: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  interface Global {
    readonly value: number
  }
}
