// Measures processor time, which other programs on the machine do not lengthen.

/** Starts a timer; the returned function gives the ms of processor time this process has used since then. */
export function startCpuTimer(): () => number {
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }
}
