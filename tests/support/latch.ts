// A door that a test opens: whoever waits before it goes on then, and not before.

export function createLatch(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}
