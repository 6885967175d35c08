/** A text or record that grows while it is written. Its block comes from the heap and is given back after use. */
import * as bytes from "../../policy-as/assembly/lib/bytes"
import * as heap from "../../policy-as/assembly/lib/heap"

const FIRST_BYTES: usize = 4096

/** Made at the start of the instance, one for each purpose. */
export class Buffer {
  at: usize = 0
  length: usize = 0
  private room: usize = 0

  /** Empties it; its memory stays for what is written next. */
  clear(): void {
    this.length = 0
  }

  /** Empties it and gives its memory back. */
  drop(): void {
    if (this.at != 0) heap.free(this.at)
    this.at = 0
    this.length = 0
    this.room = 0
  }

  /** Address of `count` more bytes, which are part of the text from now on. */
  @inline extend(count: usize): usize {
    const length = this.length
    if (count > this.room - length) this.grow(length + count)
    this.length = length + count
    return this.at + length
  }


  @inline u8(number: u8): void {
    store<u8>(this.extend(1), number)
  }

  u16(number: u16): void {
    store<u16>(this.extend(2), number)
  }

  u32(number: u32): void {
    store<u32>(this.extend(4), number)
  }

  u64(number: u64): void {
    store<u64>(this.extend(8), number)
  }

  bytes(at: usize, length: usize): void {
    memory.copy(this.extend(length), at, length)
  }

  literal(text: string): void {
    bytes.put(this.extend(text.length), text)
  }

  /** In decimal. */
  number(number: u64): void {
    if (number <= u32.MAX_VALUE) this.decimal<u32>(<u32>number)
    else this.decimal<u64>(number)
  }

  /** In decimal. */
  signed(number: i64): void {
    if (number < 0) this.u8(0x2d)
    this.number(<u64>abs(number))
  }

  private decimal<T>(number: T): void {
    let count: usize = 1
    for (let rest = number; rest >= 10; rest = <T>(rest / 10)) count++
    for (let at = this.extend(count) + count; count > 0; count--) {
      store<u8>(--at, <u8>(48 + (number % 10)))
      number = <T>(number / 10)
    }
  }

  /** Overwrites four bytes that were written before, `offset` bytes from the start. */
  patch(offset: usize, number: u32): void {
    store<u32>(this.at + offset, number)
  }

  private grow(needed: usize): void {
    const block = heap.allocate(max(needed, max(this.room << 1, FIRST_BYTES)))
    if (this.at != 0) {
      memory.copy(block, this.at, this.length)
      heap.free(this.at)
    }
    this.at = block
    this.room = heap.capacity(block)
  }
}
