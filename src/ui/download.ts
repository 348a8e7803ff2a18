// A file made on the page or brought by it, given to the person to keep.

export function download(fileName: string, content: string | Blob, type: string) {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName })
  link.click()
  // A browser reads it after the press, by the address.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
