// The clipboard, where there is one.

/** False on pages that came over plain http from another machine, which have none, and where the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
