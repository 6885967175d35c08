/**
 * Arguments of `setpriv`, which becomes the program, so that its pid is the program's: that gets the signal when the process that starts it ends, however
 * that ends. Nothing else tells it of a SIGKILL. Source: prctl(2), PR_SET_PDEATHSIG.
 *
 * @param signal KILL also for one that is frozen; TERM for one that has children of its own to end
 */
export function bound(signal: "KILL" | "TERM", ...command: readonly string[]): readonly string[] {
  return ["--pdeathsig", signal, ...command]
}
