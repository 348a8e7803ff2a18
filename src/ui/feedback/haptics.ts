// Vibrations of gestures, where the device supports them; each has a visible equivalent.
import { vibration } from '../device-switch.ts'
import { wantsLessMotion } from '../motion/motion.ts'

/** In ms: on, off, on. */
const PATTERN = {
  /** A stage passed while scrubbing, or an undo. */
  step: 8,
  /** A threshold crossed, or a page turned at the edge. */
  threshold: 10,
  /** Lifted, dropped or moved. */
  done: 15,
  failed: [20, 60, 20],
}

export function tremble(event: keyof typeof PATTERN) {
  // Safari has no vibration; other browsers refuse it with a warning before the page was touched.
  if (!('vibrate' in navigator) || !navigator.userActivation.hasBeenActive) return
  if (vibration.isOn() && !wantsLessMotion()) navigator.vibrate(PATTERN[event])
}
