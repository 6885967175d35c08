/**
 * AssemblyScript's allocator takes all the memory that there is when it begins, so it must begin before lib/heap.ts has asked for pages of its own.
 * Code that uses both imports this first.
 */
heap.alloc(16)
