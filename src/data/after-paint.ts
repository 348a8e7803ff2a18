// Waits until the browser has painted the current state.

/** Background pages do not paint, so the wait ends after this time. */
const AT_LATEST_MS = 300

/** Resolves once the browser has painted; at once where there is no painting. */
export function afterPaint(): Promise<void> {
  if (typeof requestAnimationFrame === 'undefined') return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, AT_LATEST_MS)
    // React renders in a later task, so the change appears only in the frame after the next.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        clearTimeout(timer)
        setTimeout(resolve)
      }),
    )
  })
}
