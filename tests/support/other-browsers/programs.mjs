// Finds WebKitGTK with its WebDriver, Firefox, and a virtual screen on this machine; all are Debian packages.
import { access, constants } from 'node:fs/promises'
import path from 'node:path'

const LIBRARIES = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/libexec']

/** @typedef {{ browser: string, driver: string, screen: string }} WebKit the programs' paths */
/** @typedef {{ browser: string, screen: string }} Firefox the programs' paths; it contains its driver */

/** All three, or null if one is missing. @returns {Promise<WebKit | null>} */
export async function findWebKit() {
  const [browser, driver, screen] = await Promise.all([
    findIn(LIBRARIES, 'webkit2gtk-4.1/MiniBrowser'),
    findIn(commandFolders(), 'WebKitWebDriver'),
    findIn(commandFolders(), 'Xvfb'),
  ])
  return browser && driver && screen ? { browser, driver, screen } : null
}

/** Both, or null if one is missing. @returns {Promise<Firefox | null>} */
export async function findFirefox() {
  const [esr, firefox, screen] = await Promise.all([
    findIn(commandFolders(), 'firefox-esr'),
    findIn(commandFolders(), 'firefox'),
    findIn(commandFolders(), 'Xvfb'),
  ])
  const browser = esr ?? firefox
  return browser && screen ? { browser, screen } : null
}

const commandFolders = () => (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)

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
