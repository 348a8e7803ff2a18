// Every query key of the app. HOUSE 2.

export const keys = {
  board: (instanceName: string) => ['board', instanceName] as const,
  health: () => ['health'] as const,
}
