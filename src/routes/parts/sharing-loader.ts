// Loads the screens for shares only if there is a share, or if the icon's shortcut opens 'Adicionar lead'.
import { hasShares } from '#data/shares.ts'
import { lazily } from '#ui/lazily.ts'

const part = lazily(async () => (await import('./sharing.tsx')).Sharing)

export const sharing = {
  ...part,
  load: async () => {
    const isDue = new URLSearchParams(location.search).has('adicionar') || (await hasShares())
    return isDue && part.load()
  },
}
