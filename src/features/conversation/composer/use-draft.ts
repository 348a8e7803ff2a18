// The text of a place, kept on the device at every letter, so that a reload takes nothing away.
import { useEffect, useEffectEvent, useState } from 'react'
import { readDraft, watchDraft, writeDraft } from '#offline/drafts.ts'

/** '' until what was left is read; what is typed before stays. `place` does not change while it is used. */
export function useDraft(place: string): [string, (text: string) => void] {
  const [text, setText] = useState<string | null>(null)
  const show = useEffectEvent((left: string) => {
    if (text === null && left !== '') setText(left)
  })
  useEffect(() => {
    void readDraft(place).then((left) => show(left))
    return watchDraft(place, setText)
  }, [place])
  const write = (next: string) => {
    setText(next)
    void writeDraft(place, next)
  }
  return [text ?? '', write]
}
