// The page's first script: whoever has the board next gets its part at once, beside the app's, not after it.
import '#styles/index.css'

// Chromium asks once whether to install, maybe before the app is here: kept for src/live/install.ts.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  Object.assign(window, { installPrompt: event })
})

/** As src/data/session.ts keeps it: a hint, never authority. */
const isBroker = localStorage.getItem('user')?.includes('"role":"broker"') ?? false

if (isBroker)
  import('#app/signed-in.ts').then(({ readAheadOfSession }) => readAheadOfSession()).catch(() => undefined)
void import('./main.tsx')
