// A draft, kept on the device at every letter, so that a reload takes nothing away.
import { useEffect, useEffectEvent, useState } from 'react'
import { readDraft, watchDraft, writeDraft } from '#offline/drafts.ts'

/** '' until what was left is read; what is typed before stays. `key` does not change while it is used. */
export function useDraft(key: string): [string, (text: string) => void] {
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
  return [text ?? '', write]
}
