// Remembers on this device which of our messages a broker marked as no promise.
import { useState } from 'react'
import * as v from 'valibot'
import { LEAD_MARKS } from '#data/lead-marks.ts'

/** How many marks are stored at most. The list no longer asks about older messages. */
const MAX_KEPT = 50
const Keys = v.pipe(v.string(), v.parseJson(), v.array(v.string()))

function read(): string[] {
  try {
    const { success, output } = v.safeParse(Keys, localStorage.getItem(LEAD_MARKS.noPromises) ?? '[]')
    return success ? output : []
  } catch {
    return []
  }
}

export function useNoPromises(): [keys: readonly string[], drop: (key: string) => void] {
  const [keys, setKeys] = useState(read)
  const drop = (key: string) => {
    const changed = [...keys, key].slice(-MAX_KEPT)
    setKeys(changed)
    try {
      localStorage.setItem(LEAD_MARKS.noPromises, JSON.stringify(changed))
    } catch {
      // If the device cannot store the marks, the messages are shown again after the next start.
    }
  }
  return [keys, drop]
}
