/** Which texts were there already, in several scopes at once. Memory follows the number of texts; the texts stay where they are. */
import * as bytes from "../../policy-as/assembly/lib/bytes"
import * as heap from "../../policy-as/assembly/lib/heap"

/** Slot: u64 hash · u32 address, 0 for free · u32 length. */
const SLOT_BYTES: usize = 16
const FIRST_SLOTS: u32 = 64

export class KeySet {
  private slots: usize = 0
  private mask: u32 = 0
  private count: u32 = 0

  /** Adds a text; false if it was there. */
  add(scope: u32, at: usize, length: usize): bool {
    if (this.count >= this.mask >> 1) this.grow()
    const hash = hashOf(scope, at, length)
    const slot = this.find(hash, at, length)
    if (load<u32>(slot, 8) != 0) return false
    store<u64>(slot, hash)
    store<u32>(slot, <u32>at, 8)
    store<u32>(slot, <u32>length, 12)
    this.count++
    return true
  }

  has(scope: u32, at: usize, length: usize): bool {
    if (this.count == 0) return false
    return load<u32>(this.find(hashOf(scope, at, length), at, length), 8) != 0
  }

  /** Forgets all texts. */
  drop(): void {
    if (this.slots != 0) heap.free(this.slots)
    this.slots = 0
    this.mask = 0
    this.count = 0
  }

  /** The slot that holds the text, or the free one for it. Equal texts of two scopes differ in their hashes. */
  private find(hash: u64, at: usize, length: usize): usize {
    let i = <u32>hash
    while (true) {
      const slot = this.slots + <usize>(i & this.mask) * SLOT_BYTES
      const text = <usize>load<u32>(slot, 8)
      if (text == 0) return slot
      const isAlike = load<u64>(slot) == hash && <usize>load<u32>(slot, 12) == length
      if (isAlike && bytes.equal(text, at, length)) return slot
      i++
    }
  }

  private grow(): void {
    const before = this.slots
    const count: u32 = before == 0 ? 0 : this.mask + 1
    const wanted: u32 = max(count << 1, FIRST_SLOTS)
    this.slots = heap.allocate(<usize>wanted * SLOT_BYTES)
    this.mask = wanted - 1
    memory.fill(this.slots, 0, <usize>wanted * SLOT_BYTES)
    for (let i: u32 = 0; i < count; i++) this.move(before + <usize>i * SLOT_BYTES)
    if (before != 0) heap.free(before)
  }

  /** Copies a slot of the smaller table. */
  private move(slot: usize): void {
    const text = <usize>load<u32>(slot, 8)
    if (text == 0) return
    const to = this.find(load<u64>(slot), text, load<u32>(slot, 12))
    memory.copy(to, slot, SLOT_BYTES)
  }
}

function hashOf(scope: u32, at: usize, length: usize): u64 {
  return bytes.hash(at, length) + bytes.mix(scope)
}
