// Finds a Chromium for the browser tests: the configured one, else an installed one, else Playwright's, which it
// downloads if it is not there.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { inRoot, run, say, Stop } from '#server/ops/cli/root.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const ANSWER_MS = 20_000

/** Beside Playwright's own: the browser makes no requests except to the portal. */
export const CHROMIUM_ARGS = ['--disable-gpu', '--disable-quic', '--disable-sync']

/** The path of a Chromium that works. Stops if there is none and none can be downloaded. */
export async function ensureChromium() {
  const named = process.env['CHROMIUM_PATH']
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)
  const installed = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  const playwrights = chromium.executablePath()
  for (const file of named ? [named] : [...installed, playwrights]) if (await works(file)) return file
  if (named) throw new Stop(`CHROMIUM_PATH aponta para ${named}, que não é um Chromium que funcione.`)
  say('Baixando o Chromium do Playwright…')
  await run(process.execPath, [inRoot('node_modules/@playwright/test/cli.js'), 'install', 'chromium'])
  if (await works(playwrights)) return playwrights
  throw new Stop('Os testes de navegador precisam de um Chromium: instale-o e informe CHROMIUM_PATH.')
}

/** A file with that name may be a stub, so it must print its version. @param {string} file */
const works = (file) =>
  promisify(execFile)(file, ['--version'], { timeout: ANSWER_MS }).then(
    () => true,
    () => false,
  )
