// Whether a conversation's photos load automatically: always, on Wi-Fi, or only when tapped. Stored on this device.
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

/** The network information of mobile browsers; others have none. */
type Connection = { type?: string; saveData?: boolean }

/** An unknown network type counts as mobile data. */
export function loadsPhotos(choice: AutoPhotos, connection: Connection | undefined): boolean {
  if (choice !== 'wifi') return choice === 'always'
  const { type, saveData } = connection ?? {}
  return saveData !== true && (type === 'wifi' || type === 'ethernet')
}

/** Whether photos load automatically now. */
export function usePhotosLoad(): boolean {
  return useSyncExternalStore(subscribe, loadNow, never)
}

const loadNow = () => loadsPhotos(read(), connectionOf(navigator))
const never = () => false

function connectionOf(browser: Navigator & { connection?: Connection }): Connection | undefined {
  return browser.connection
}
