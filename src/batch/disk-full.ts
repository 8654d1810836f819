/** Whether an error says that there is no space to write. Of one that a thread told, only the message is left. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && /^(ENOSPC|EDQUOT):/.test(error.message);
}
