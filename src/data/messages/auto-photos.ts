// Whether photos of a conversation load by themselves: always, on Wi-Fi, or when they are tapped. Kept on this device.
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

/** What browsers of phones say of the signal; others say nothing. */
type Connection = { type?: string; saveData?: boolean }

/** A browser that does not say what it is connected by is not taken to be on Wi-Fi. */
export function loadsPhotos(choice: AutoPhotos, connection: Connection | undefined): boolean {
  if (choice !== 'wifi') return choice === 'always'
  const { type, saveData } = connection ?? {}
  return saveData !== true && (type === 'wifi' || type === 'ethernet')
}

/** Whether photos load by themselves now. */
export function usePhotosLoad(): boolean {
  return useSyncExternalStore(subscribe, loadNow, never)
}

const loadNow = () => loadsPhotos(read(), connectionOf(navigator))
const never = () => false

function connectionOf(browser: Navigator & { connection?: Connection }): Connection | undefined {
  return browser.connection
}
