/** Where texts outlive the controller, by name. Neither rejects: what is not there at the next start is fetched again. */
export interface Cache {
  /** @param name fit for the name of a file */
  put(name: string, text: string): Promise<void>
  remove(name: string): Promise<void>
}
