// What a gesture feels like where the device can tremble; each has a visible twin.
import { vibration } from '../device-switch.ts'
import { wantsLessMotion } from '../motion/motion.ts'

/** In ms: on, off, on. */
const PATTERN = {
  /** A stage passed while scrubbing; an undo. */
  step: 8,
  /** A threshold crossed, a page turned at the edge. */
  threshold: 10,
  /** Lifted, dropped, moved. */
  done: 15,
  failed: [20, 60, 20],
}

export function tremble(event: keyof typeof PATTERN) {
  // Safari has no such thing; others refuse it, and complain, before the page was touched.
  if (!('vibrate' in navigator) || !navigator.userActivation.hasBeenActive) return
  if (vibration.isOn() && !wantsLessMotion()) navigator.vibrate(PATTERN[event])
}
