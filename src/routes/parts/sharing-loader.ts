// Loads the screens of a share only if there is one, or if the icon's shortcut asks for 'Adicionar lead'.
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
