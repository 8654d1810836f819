import type { Connection } from '../database.ts';
import type { Seals } from '../seals.ts';
import type { SavedView, ViewTable } from '../types.ts';

export function viewAbout(site: string, person: string, mark: string): string {
  return `view|${site}|${person}|${mark}`;
}

/** Implements `ViewTable`. The name is sealed, since a person may have typed anything. */
export function createViewTable({ read, transaction, now }: Connection, seals: Seals): ViewTable {
  return {
    async of(site, person) {
      const rows = await read((db) =>
        db
          .selectFrom('saved_views')
          .select(['mark', 'sealed'])
          .where('site', '=', site)
          .where('person', '=', person)
          .orderBy('saved_at')
          .orderBy('mark')
          .execute(),
      );
      return rows.map(({ mark, sealed }) => ({
        // Only the store seals, and the seal is bound to the row, so the value has the type that was written.
        ...(seals.open(sealed, viewAbout(site, person, mark)) as Omit<SavedView, 'id'>),
        id: mark,
      }));
    },
    async save(site, person, { name, filter }, most) {
      const mark = seals.mark(`view|${site}|${person}|${name.toLowerCase()}`);
      const { sealed } = seals.seal({ name, filter }, viewAbout(site, person, mark));
      return await transaction(async (trx) => {
        const mine = await trx
          .selectFrom('saved_views')
          .select('mark')
          .where('site', '=', site)
          .where('person', '=', person)
          .execute();
        if (mine.length >= most && !mine.some((row) => row.mark === mark)) return false;
        await trx
          .insertInto('saved_views')
          .values({ site, person, mark, saved_at: now(), sealed })
          .onConflict((conflict) => conflict.columns(['site', 'person', 'mark']).doUpdateSet({ sealed }))
          .execute();
        return true;
      });
    },
    async remove(site, person, id) {
      await read((db) =>
        db
          .deleteFrom('saved_views')
          .where('site', '=', site)
          .where('person', '=', person)
          .where('mark', '=', id)
          .execute(),
      );
    },
  };
}
