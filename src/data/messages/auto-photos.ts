// Whether a conversation's photos load without a tap: always, on Wi-Fi, or never. This device stores the choice.
import { useSyncExternalStore } from 'react'

export const AUTO_PHOTOS = ['always', 'wifi', 'never'] as const
export type AutoPhotos = (typeof AUTO_PHOTOS)[number]

const KEY = 'auto-photos'
const listeners = new Set<() => void>()

function read(): AutoPhotos {
  const stored = localStorage.getItem(KEY)
  return AUTO_PHOTOS.find((choice) => choice === stored) ?? 'wifi'
}

export function setAutoPhotos(choice: AutoPhotos) {
  localStorage.setItem(KEY, choice)
  for (const listener of listeners) listener()
}

function subscribe(changed: () => void) {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

export function useAutoPhotos(): AutoPhotos {
  return useSyncExternalStore(subscribe, read)
}

/** What mobile browsers tell about the network; other browsers tell nothing. */
type Connection = { type?: string; saveData?: boolean }

/** A network of unknown type counts as mobile data. */
export function loadsPhotos(choice: AutoPhotos, connection: Connection | undefined): boolean {
  if (choice !== 'wifi') return choice === 'always'
  const { type, saveData } = connection ?? {}
  return saveData !== true && (type === 'wifi' || type === 'ethernet')
}

/** True if photos may load without a tap now. */
export function usePhotosLoad(): boolean {
  return useSyncExternalStore(subscribe, loadNow, never)
}

const loadNow = () => loadsPhotos(read(), connectionOf(navigator))
const never = () => false

function connectionOf(browser: Navigator & { connection?: Connection }): Connection | undefined {
  return browser.connection
}
