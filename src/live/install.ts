// Whether and how this browser can install the portal, and what the user answered so far.
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

/** Chromium's install prompt, stored until the user asks for it. */
type InstallPrompt = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> }

/** `prompt`: the browser asks; `steps`: the user does it by hand, as on an iPhone. */
export type InstallWay = 'prompt' | 'steps'

/** Why the sheet is shown: the user asked for it, or the app offers it. */
export type InstallIntent = 'asked' | 'offered'

const STANDALONE = '(display-mode: standalone), (display-mode: minimal-ui)'
const RECORD_KEY = 'install'

const Record = v.object({
  /** How often the app was opened in a new window or tab. */
  sessions: v.number(),
  hasMoved: v.boolean(),
  declines: v.number(),
  declinedAtMs: v.number(),
})
export type InstallRecord = v.InferOutput<typeof Record>

const NOTHING: InstallRecord = { sessions: 0, hasMoved: false, declines: 0, declinedAtMs: 0 }
const StoredRecord = v.pipe(v.string(), v.parseJson(), Record)

let prompt: InstallPrompt | null = null
let isInstalled = false
let intent: InstallIntent | null = null
const listeners = new Set<() => void>()

function notify() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Chromium fires the event once, and shows its own bar if nothing handles it. src/start.ts stores an event that came
 * before this module.
 */
export function listenForInstall() {
  const keep = (event: unknown) => {
    if (!(event instanceof Event) || !('prompt' in event)) return
    event.preventDefault()
    prompt = event as InstallPrompt
    notify()
  }
  if ('installPrompt' in window) keep(window.installPrompt)
  addEventListener('beforeinstallprompt', keep)
  addEventListener('appinstalled', () => {
    prompt = null
    isInstalled = true
    notify()
  })
}

/** Null if it is installed, runs from the home screen, or cannot be installed. */
export function useInstallWay(): InstallWay | null {
  return useSyncExternalStore(subscribe, installWay)
}

function installWay(): InstallWay | null {
  if (isInstalled || isStandalone()) return null
  if (prompt) return 'prompt'
  return isAppleMobile(navigator) ? 'steps' : null
}

/** An iPhone reports it by a property of its own. */
export function isStandalone(): boolean {
  return matchMedia(STANDALONE).matches || ('standalone' in navigator && navigator.standalone === true)
}

/** An iPad's user agent says Macintosh, but a Mac has no touch screen. */
export function isAppleMobile({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>) {
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
}

/** Shows the browser's prompt; returns whether the user accepted. The browser shows it once per page. */
export async function install(): Promise<boolean> {
  const asked = prompt
  prompt = null
  const answer = await asked?.prompt()
  isInstalled = answer?.outcome === 'accepted'
  notify()
  return isInstalled
}

/** Opens the sheet from anywhere; null closes it. */
export function intendInstall(next: InstallIntent | null) {
  intent = next
  notify()
}

export function useInstallIntent(): InstallIntent | null {
  return useSyncExternalStore(subscribe, () => intent)
}

export function installRecord(): InstallRecord {
  const stored = v.safeParse(StoredRecord, localStorage.getItem(RECORD_KEY))
  return stored.success ? stored.output : NOTHING
}

export function noteInstall(change: (record: InstallRecord) => Partial<InstallRecord>) {
  const record = installRecord()
  localStorage.setItem(RECORD_KEY, JSON.stringify({ ...record, ...change(record) }))
}
