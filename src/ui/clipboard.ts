// Writes to the clipboard if there is one.

/** False if the browser refuses, or on pages over plain http from another machine, which have no clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
