// Vibrates at steps of a gesture, on devices that can. Everything is visible too.
import { vibration } from '../device-switch.ts'
import { wantsLessMotion } from '../motion/motion.ts'

/** How long the vibration is on, off and on again, in milliseconds. */
const PATTERN = {
  /** A stage was passed while dragging the tabs, or a move was undone. */
  step: 8,
  /** A threshold was crossed, or a page turned at the edge. */
  threshold: 10,
  /** A card was lifted, dropped or moved. */
  done: 15,
  failed: [20, 60, 20],
}

export function tremble(event: keyof typeof PATTERN) {
  // Safari has no vibration. Other browsers refuse with a warning until the user has touched the page.
  if (!('vibrate' in navigator) || !navigator.userActivation.hasBeenActive) return
  if (vibration.isOn() && !wantsLessMotion()) navigator.vibrate(PATTERN[event])
}
