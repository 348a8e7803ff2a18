// Starts the app: theme, session, screens.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { log } from '#api/log.ts'
import { Providers } from '#app/providers.tsx'
import { todayPage } from '#app/router.tsx'
import { startSession } from '#data/session.ts'
import { applyTheme } from '#ui/theme.ts'

// From load-part.ts.
addEventListener('part-missing', ({ detail }: CustomEventInit) => log.warn('part.missing', detail))
// A tab that opens at this address loads the screen's chunk together with the first ones.
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
