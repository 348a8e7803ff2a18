// Values for animations: durations, springs that continue a pointer's speed, and whether the user wants less motion.

/** Milliseconds, for animations in code. tokens.css has those for CSS. */
export const DURATION = {
  fade: 120,
  fast: 140,
  slotClose: 160,
  base: 200,
  pulse: 240,
  snapMost: 360,
  homeMost: 300,
  flash: 600,
}

/** Springs. `snap` is for a page that comes to rest, `home` for a card that returns. */
export const SPRING = {
  snap: { stiffness: 420, damping: 38, mass: 1 },
  home: { stiffness: 520, damping: 36, mass: 1 },
}

/** The curve for arriving elements, equal to --ease-out. */
export const EASE_OUT = 'cubic-bezier(0.22, 0.9, 0.28, 1)'

const LESS_MOTION = '(prefers-reduced-motion: reduce)'

/**
 * True if the user wants reduced motion. A drag still follows the pointer then, but what follows its release is
 * instant.
 */
export function wantsLessMotion(): boolean {
  return matchMedia(LESS_MOTION).matches
}
