// The moment after what is shown now was painted.

/** A page in the back paints nothing. */
const AT_LATEST_MS = 300

/** Resolves once the browser has painted, at once where nothing paints. */
export function afterPaint(): Promise<void> {
  if (typeof requestAnimationFrame === 'undefined') return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, AT_LATEST_MS)
    // React draws what the store told a task later, so the frame after the next is the first to show it.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        clearTimeout(timer)
        setTimeout(resolve)
      }),
    )
  })
}
