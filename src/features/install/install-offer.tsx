// Opens the install sheet: when it is asked for, or once in a quiet moment of who uses the portal already.
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

  const close = () => intendInstall(null)
  // However the offer is closed, that was a no; a person who asked for it changed plans.
  const decline = () => {
    if (intent === 'offered')
      noteInstall(({ declines }) => ({ declines: declines + 1, declinedAtMs: Date.now() }))
    close()
  }
  return <InstallSheet way={way} isOpen={intent !== null} onDecline={decline} onInstalled={close} />
}
