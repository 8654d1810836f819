import type { VNode } from 'preact';

/** The form that records a mapping case. It is at the end of the review page if the configuration allows it. */
export function RecordBlock({ here, token }: { readonly here: string; readonly token: string }): VNode {
  return (
    <form method="post" action={`${here}/record`} class="record">
      <input type="hidden" name="token" value={token} />
      <label for="record-name">
        Record this chart as a mapping case, without what identifies anyone and without what you entered here. Its name
        states the behaviour:
      </label>
      <div class="record-row">
        <input
          id="record-name"
          type="text"
          name="name"
          required
          pattern="[a-z0-9]+(-[a-z0-9]+)*"
          title="small letters, digits and hyphens"
          autocomplete="off"
        />
        <button type="submit" class="secondary outline">
          Record as a fixture
        </button>
      </div>
    </form>
  );
}
