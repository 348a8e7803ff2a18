// The page with which the server answers when another app shares something with the portal (`share_target` of the
// manifest).

/** The manifest names the same address. */
export const SHARE_PATH = '/compartilhar'

/**
 * Returns the page that opens the app with public/share.js. The script first stores what the server wrote into `sent`.
 */
export const openingPage = (sent = '') => pageOf('Abrindo o portal…', SCRIPT + sent)

export const refusedPage = (reason: string) => pageOf(reason, '')

const SCRIPT = '<script type="module" src="/share.js"></script>'

const pageOf = (text: string, more: string) =>
  `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Portal do Corretor</title></head><body><p>${text}</p><p><a href="/broker">Abrir o portal</a></p>${more}</body></html>`
