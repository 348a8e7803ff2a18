// Boots the app: theme, session, screens.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { log } from '#api/log.ts'
import { Providers } from '#app/providers.tsx'
import { todayPage } from '#app/router.tsx'
import { startSession } from '#data/session.ts'
import { applyTheme } from '#ui/theme.ts'

// A part that cannot be fetched is told where it was wanted: nothing reloads under anyone's hands.
addEventListener('vite:preloadError', (event) => {
  event.preventDefault()
  log.warn('part.missing', event.payload)
})
// Where a tab begins with it, it is fetched beside the first parts.
if (location.pathname === '/broker/hoje') void todayPage.preload?.()
applyTheme()
void startSession()

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no #root')
createRoot(container).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
)
