import type { VNode } from 'preact';
import { maxUploadBytes } from '../../ehr/documents/read-upload.ts';

interface FileInputProps {
  readonly id: string;
  readonly accept?: string;
  readonly multiple?: boolean;
  readonly required?: boolean;
  /** The attributes that `stateOf` returns. */
  readonly [state: `aria-${string}`]: string | undefined;
  /** The message for files over the form's limit, shown before anything is sent. */
  readonly tooLarge: string;
}

/** Files from the person's computer, as `file` of a form. */
export function FileInput({ tooLarge, ...others }: FileInputProps): VNode {
  return <input {...others} name="file" type="file" data-most={maxUploadBytes} data-too-large={tooLarge} />;
}
