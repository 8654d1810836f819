import type { Attached, Case } from './case.ts';
import type { CaseContext } from './context.ts';

/**
 * Keeps the bytes sealed with the case, then names them in its draft. Should the second step fail, the bytes are never
 * used and go with the case.
 */
export async function attachFile(context: CaseContext, id: string, attach: Attached, bytes: Uint8Array): Promise<Case> {
  await context.store.cases.putFile(id, fileName(attach.id), bytes);
  return await context.change(id, 'edit', { edits: { attach } });
}

/** Removes the file from the draft first, then its bytes. */
export async function detachFile(context: CaseContext, id: string, file: string): Promise<Case> {
  const changed = await context.change(id, 'edit', { edits: { detach: file } });
  await context.store.cases.removeFile(id, fileName(file));
  return changed;
}

export async function attachedFile({ store }: CaseContext, id: string, file: string): Promise<Uint8Array | undefined> {
  return await store.cases.file(id, fileName(file));
}

function fileName(file: string): string {
  return `attached/${file}`;
}
