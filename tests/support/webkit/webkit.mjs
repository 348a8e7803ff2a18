// Finds WebKitGTK, its WebDriver and a virtual screen on this machine; all are Debian packages.
import { access, constants } from 'node:fs/promises'
import path from 'node:path'

const LIBRARIES = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/libexec']

/** @typedef {{ browser: string, driver: string, screen: string }} WebKit the programs' paths */

/** All three, or null if one is missing. @returns {Promise<WebKit | null>} */
export async function findWebKit() {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)
  const [browser, driver, screen] = await Promise.all([
    findIn(LIBRARIES, 'webkit2gtk-4.1/MiniBrowser'),
    findIn(folders, 'WebKitWebDriver'),
    findIn(folders, 'Xvfb'),
  ])
  return browser && driver && screen ? { browser, driver, screen } : null
}

/**
 * @param {string[]} folders
 * @param {string} name
 */
async function findIn(folders, name) {
  for (const folder of folders) {
    const file = path.join(folder, name)
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  return null
}
