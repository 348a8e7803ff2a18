// Copies text to the clipboard, where there is one.

/** False if the browser refuses, or has no clipboard, as on pages over plain http. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
