// Offers a file to download.

export function download(fileName: string, content: string | Blob, type: string) {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName })
  link.click()
  // Revoked later, because the browser reads the URL only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
