/** Whether an annotation or a key that keeps requests out says anything with this text. */
export function keepsOut(text: string): boolean {
  return text.trim() !== ""
}
