// Where photos of a conversation open as large as the window: outside of its lines, whose gestures are not meant there.
import { createContext, type ReactNode, Suspense, useCallback, useState } from 'react'
import { lazily } from '#ui/lazily.ts'
import type { Shown } from './photo-viewer.tsx'

const viewer = lazily(async () => (await import('./photo-viewer.tsx')).PhotoViewer)

/** Null where nothing shows them. */
export const ShowPhoto = createContext<((shown: Shown) => void) | null>(null)

export function PhotoPlace({ children }: { children: ReactNode }) {
  // Once shown it stays, closed, so that the focus finds its way back.
  const [opened, setOpened] = useState<{ shown: Shown | undefined }>()
  const show = useCallback((shown: Shown) => viewer.open(() => setOpened({ shown })), [])
  return (
    <>
      <ShowPhoto value={show}>{children}</ShowPhoto>
      <Suspense>
        {opened && <viewer.Component shown={opened.shown} onClose={() => setOpened({ shown: undefined })} />}
      </Suspense>
    </>
  )
}
