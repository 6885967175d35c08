/** A policy's memory, which has a limit. */
import { Memory, type MemoryExports } from "../guest/memory.ts"
import { limits } from "./abi.ts"
import { Fault } from "./fault.ts"

export class Guest extends Memory {
  /** @throws Fault when it has too much memory already */
  constructor(exports: MemoryExports) {
    super()
    this.attach(exports)
  }

  /** @throws Fault when it has grown too large */
  protected override look(): void {
    const most = limits.memoryBytes
    if (this.size > most) throw new Fault(`It takes more than ${most >> 20} MiB of memory`)
    super.look()
  }
}
