/** What the author has to hear, in a sentence; no stack. */
export class Failure extends Error {}
