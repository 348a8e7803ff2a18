// The account sheet's row for installing the app, where that is possible.
import { Smartphone } from 'lucide-react'
import { useInstallWay, intendInstall } from '#live/install.ts'
import { Icon } from '#ui/primitives/icon.tsx'

type InstallRowProps = {
  /** Called before the instructions open, so that the account sheet closes first. */
  onLeave: () => void
}

export function InstallRow({ onLeave }: InstallRowProps) {
  const way = useInstallWay()
  if (way === null) return null
  const show = () => {
    onLeave()
    intendInstall('asked')
  }
  return (
    <button
      type="button"
      onClick={show}
      className="flex min-h-14 w-full items-center gap-3.5 rounded-lg px-4 text-left text-16 transition-colors hover:bg-surface-2"
    >
      <Icon of={Smartphone} />
      Instalar o aplicativo
    </button>
  )
}
