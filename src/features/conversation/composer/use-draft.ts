// A draft, kept on the device at every letter, so that a reload takes nothing away.
import { useEffect, useEffectEvent, useState } from 'react'
import { leaveDraft, readDraft, watchDraft, writeDraft } from '#offline/drafts.ts'

export type Draft = {
  /** '' until what was left is read; what is typed before stays. */
  text: string
  write: (text: string) => void
  /** Empty at once; a reload brings it back until `isKept` resolves. */
  leave: (isKept: Promise<unknown>) => void
}

/** `key` does not change while it is used. */
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
