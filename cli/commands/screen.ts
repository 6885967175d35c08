/** A terminal that is drawn on and typed into: the whole of it, until it is given back. */
export interface Screen {
  readonly size: () => { readonly columns: number; readonly rows: number }
  /** Takes the place of what it shows. Lines that are longer than it is wide have to be cut before. */
  readonly draw: (lines: readonly string[]) => void
  /** Names of keys as they are typed (`a`, `up`, `escape`, `ctrl-c`), and `resize`. */
  readonly onKey: (told: (key: string) => void) => void
  /** Gives the terminal back as it was. Also done whatever else ends the process, but for SIGKILL. */
  readonly close: () => void
}
