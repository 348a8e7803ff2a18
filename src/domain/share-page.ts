// The page that answers what another app shares with the portal (the manifest's `share_target`).

/** The manifest has the same address. */
export const SHARE_PATH = '/compartilhar'

/** public/share.js opens the app from here, and stores what the server put into `sent`. */
export const openingPage = (sent = '') => pageOf('Abrindo o portal…', SCRIPT + sent)

export const refusedPage = (reason: string) => pageOf(reason, '')

const SCRIPT = '<script type="module" src="/share.js"></script>'

const pageOf = (text: string, more: string) =>
  `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Portal do Corretor</title></head><body><p>${text}</p><p><a href="/broker">Abrir o portal</a></p>${more}</body></html>`
