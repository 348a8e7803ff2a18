// Opens the install sheet: when requested, or once in a quiet moment for an active user.
import { useEffect } from 'react'
import {
  installRecord,
  type InstallWay,
  noteInstall,
  useInstallWay,
  useInstallIntent,
  intendInstall,
} from '#live/install.ts'
import { mayOffer } from './install-rules.ts'
import { InstallSheet } from './install-sheet.tsx'
import { useIsQuiet } from './quiet.ts'
import { addStartImage } from './start-image.ts'

export function InstallOffer({ isUnasked }: { isUnasked: boolean }) {
  const way = useInstallWay()
  return way && <Offer way={way} isUnasked={isUnasked} />
}

function Offer({ way, isUnasked }: { way: InstallWay; isUnasked: boolean }) {
  const intent = useInstallIntent()
  const isQuiet = useIsQuiet()
  useEffect(() => {
    if (isUnasked && isQuiet && mayOffer(installRecord(), Date.now())) intendInstall('offered')
  }, [isUnasked, isQuiet])

  useEffect(() => {
    // Without this picture the app would start with a blank page.
    if (way === 'steps') addStartImage().catch(() => undefined)
  }, [way])

  const close = () => intendInstall(null)
  // Closing the offer counts as 'Agora não'. A user who opened the sheet through a menu has declined nothing.
  const decline = () => {
    if (intent === 'offered')
      noteInstall(({ declines }) => ({ declines: declines + 1, declinedAtMs: Date.now() }))
    close()
  }
  return <InstallSheet way={way} isOpen={intent !== null} onDecline={decline} onInstalled={close} />
}
