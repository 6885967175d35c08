/** Where texts are kept for the next start, by name. Neither rejects: what is not kept is fetched again. */
export interface Keeper {
  /** @param name fit for the name of a file */
  keep(name: string, text: string): Promise<void>
  drop(name: string): Promise<void>
}
