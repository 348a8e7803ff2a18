// Looks after the app itself: its worker, new versions, the offer of the home screen. PWA.md 1; INTERACTIONS 8.
import { useEffect } from 'react'
import { noteInstall } from '#live/install.ts'
import { keepFresh } from '#live/service-worker.ts'
import { InstallOffer } from './install-offer.tsx'
import { UpdateOffer } from './update-offer.tsx'

/** Lives as long as the window, and no reload ends it. */
const SESSION_KEY = 'session-counted'

export function AppKeeper({ isBroker }: { isBroker: boolean }) {
  useEffect(() => {
    keepFresh()
    countSession()
  }, [])
  return (
    <>
      <UpdateOffer />
      <InstallOffer isUnasked={isBroker} />
    </>
  )
}

function countSession() {
  if (sessionStorage.getItem(SESSION_KEY) !== null) return
  sessionStorage.setItem(SESSION_KEY, '1')
  noteInstall(({ sessions }) => ({ sessions: sessions + 1 }))
}
