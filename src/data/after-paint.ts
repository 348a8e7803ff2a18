// Waits until the current state has been painted.

/** A background page does not paint, so the wait ends after this time. */
const AT_LATEST_MS = 300

/** Resolves once the browser has painted; at once where there is no painting. */
export function afterPaint(): Promise<void> {
  if (typeof requestAnimationFrame === 'undefined') return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, AT_LATEST_MS)
    // React renders in a later task, so the frame after the next is the first to show the change.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        clearTimeout(timer)
        setTimeout(resolve)
      }),
    )
  })
}
