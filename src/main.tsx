// Boots the app: theme, session, screens.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Providers } from '#app/providers.tsx'
import { startSession } from '#data/session.ts'
import { applyTheme } from '#ui/theme.ts'
import '#styles/index.css'

applyTheme()
void startSession()

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no #root')
createRoot(container).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
)
