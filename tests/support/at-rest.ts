/**
 * Whether fades and movements have ended. Endless animations and a toast's countdown line change no text colours, so
 * they are
 * ignored. It runs in the page, so it may use only the page.
 */
export const isAtRest = () =>
  document
    .getAnimations()
    .every(
      (animation) =>
        animation.playState !== 'running' ||
        animation.effect?.getTiming().iterations === Infinity ||
        (animation instanceof CSSAnimation && animation.animationName === 'run-down'),
    )
