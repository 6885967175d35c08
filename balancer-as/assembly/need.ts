/** What an algorithm needs for each attempt. Each of them costs the attempt something. */
export namespace Need {
  export const NOTHING: u32 = 0
  /** To be told when the attempt has ended. */
  export const REPORT: u32 = 1
  /** The same, with the attempt's times. */
  export const TIMES: u32 = 2 | REPORT
  /** Numbers of slots.ts. */
  export const SLOTS: u32 = 4
  /** How many attempts run on each endpoint, over all workers (running.ts). */
  export const RUNNING: u32 = 8 | SLOTS | REPORT
  /** How many attempts of this instance run on each endpoint. */
  export const RUNNING_HERE: u32 = 16 | REPORT
}
