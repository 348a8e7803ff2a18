// Opens a conversation's photos full screen. It is outside the message list, whose gestures would interfere.
import { createContext, type ReactNode, Suspense, useCallback, useState } from 'react'
import { lazily } from '#ui/lazily.ts'
import type { Shown } from './photo-viewer.tsx'

const viewer = lazily(async () => (await import('./photo-viewer.tsx')).PhotoViewer)

/** Null where the page renders no photo viewer. */
export const ShowPhoto = createContext<((shown: Shown) => void) | null>(null)

export function PhotoPlace({ children }: { children: ReactNode }) {
  // Once opened, the viewer stays mounted while closed, so that focus returns to the photo that opened it.
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
