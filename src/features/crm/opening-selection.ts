// Decides which brokers' boards the CRM shows: those in the address, else the last selection on this device, else all.
import { useMemo, useState } from 'react'
import type { Listed } from './listed-brokers.ts'
import { readSelection, writeSelection } from '#domain/broker-selection.ts'

const PLACE = 'crm-brokers'
/**
 * The first selection has at most this many brokers, those with the most leads, because each one's board is loaded
 * separately.
 */
const MOST_AT_FIRST = 20

function keepSelection(instanceNames: readonly string[]) {
  const text = writeSelection(instanceNames)
  if (text !== undefined) localStorage.setItem(PLACE, text)
}

const NOBODY: readonly string[] = []

/**
 * `inAddress` is the selection in the page's address and wins. `isOpening`: the list of brokers is still loading.
 * `isEverybody`: nobody has selected anything yet, so a first press selects that broker alone.
 */
export function useSelection(inAddress: string | undefined, listed: readonly Listed[] | undefined) {
  const addressed = useMemo(() => (inAddress === undefined ? null : readSelection(inAddress)), [inAddress])
  // The brokers selected when the CRM opens. Kept as state, because new lead counts reorder the list of brokers.
  const [opening, setOpening] = useState<readonly string[]>()
  const [isEverybody, setEverybody] = useState(false)
  if (!opening && listed) {
    const last = lastSelection(localStorage.getItem(PLACE) ?? '', listed)
    setOpening(last ?? everybody(listed))
    setEverybody(last === null)
  }
  const noteChoice = (instanceNames: readonly string[]) => {
    keepSelection(instanceNames)
    setOpening(instanceNames)
    setEverybody(false)
  }
  return {
    selected: addressed ?? opening ?? NOBODY,
    isOpening: addressed === null && opening === undefined,
    isEverybody: addressed === null && isEverybody,
    noteChoice,
  }
}

/** Returns the stored selection without removed brokers; null if none is left. */
export function lastSelection(stored: string, listed: readonly Listed[]): readonly string[] | null {
  const last = readSelection(stored).filter((name) =>
    listed.some(({ instanceName }) => instanceName === name),
  )
  return last.length > 0 ? last : null
}

export const everybody = (listed: readonly Listed[]): readonly string[] =>
  listed.slice(0, MOST_AT_FIRST).map(({ instanceName }) => instanceName)
