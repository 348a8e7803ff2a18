// Where a conversation's photos open full screen: outside the message list, so that its gestures do not apply.
import { createContext, type ReactNode, Suspense, useCallback, useState } from 'react'
import { lazily } from '#ui/lazily.ts'
import type { Shown } from './photo-viewer.tsx'

const viewer = lazily(async () => (await import('./photo-viewer.tsx')).PhotoViewer)

/** Null if there is no viewer. */
export const ShowPhoto = createContext<((shown: Shown) => void) | null>(null)

export function PhotoPlace({ children }: { children: ReactNode }) {
  // After the first opening it stays mounted, closed, so that the focus returns.
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
