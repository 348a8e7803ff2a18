// The broker's choice: up to four things of a development in the order of sending, with captions.
import { useState } from 'react'
import { captionsOf, type Captioned, type Choice, MAX_THINGS } from '#domain/development/material.ts'
import type { Material } from '#domain/development/material-index.ts'
import { tremble } from '#ui/feedback/haptics.ts'

export type Chosen = Captioned

export function useChoice(
  material: Material,
  { choices, first, today }: { choices: readonly Choice[]; first: readonly string[]; today: string },
) {
  const [keys, setKeys] = useState(first)
  const [written, setWritten] = useState<ReadonlyMap<string, string>>(new Map())
  const [isFull, setFull] = useState(false)
  const chosen = keys.flatMap((key) => choices.find((choice) => choice.key === key) ?? [])
  const toggle = (key: string) => {
    const isOut = keys.includes(key)
    if (!isOut && keys.length >= MAX_THINGS) {
      tremble('done')
      return setFull(true)
    }
    setFull(false)
    return setKeys(isOut ? keys.filter((other) => other !== key) : [...keys, key])
  }
  /** `withPrice` false leaves an expired price out of unedited captions. */
  const things = (withPrice = true): Chosen[] => {
    const captions = captionsOf(material, chosen, { today, withPrice })
    return chosen.map((choice) => {
      const text = written.get(choice.key)?.trim()
      const made = captions.get(choice.key) ?? { text: '', price: null }
      return { choice, ...(text === undefined ? made : { text, price: null }) }
    })
  }
  return {
    chosen,
    isFull,
    toggle,
    things,
    write: (key: string, text: string) => setWritten(new Map(written).set(key, text)),
    wroteAll: chosen.every(({ key }) => written.has(key)),
    /** The item's number in the sending order, from 1; null if it is not chosen. */
    nth: (key: string) => (keys.includes(key) ? keys.indexOf(key) + 1 : null),
  }
}
