// A draft that is stored on the device at every letter, so that a reload loses nothing.
import { useEffect, useEffectEvent, useState } from 'react'
import { leaveDraft, readDraft, watchDraft, writeDraft } from '#offline/drafts.ts'

export type Draft = {
  /** '' until the stored draft is read. If the user types before that, the typed text wins. */
  text: string
  write: (text: string) => void
  /** Empties the box at once. The device keeps the stored draft until `isKept` resolves, so a reload restores it. */
  leave: (isKept: Promise<unknown>) => void
}

/** A hook instance reads its stored draft once, so callers must not change `key`. */
export function useDraft(key: string): Draft {
  const [text, setText] = useState<string | null>(null)
  const show = useEffectEvent((left: string) => {
    if (text === null && left !== '') setText(left)
  })
  useEffect(() => {
    void readDraft(key).then((left) => show(left))
    return watchDraft(key, setText)
  }, [key])
  const write = (next: string) => {
    setText(next)
    void writeDraft(key, next)
  }
  const leave = (isKept: Promise<unknown>) => {
    setText('')
    void leaveDraft(key, isKept)
  }
  return { text: text ?? '', write, leave }
}
