import type { Connection } from '../database.ts';
import type { Seals } from '../seals.ts';
import type { QuestionTable } from '../types.ts';

export function questionAbout(id: string, round: string, about: string): string {
  return `question|${id}|${round}|${about}`;
}

/** Implements `QuestionTable`. */
export function createQuestionTable({ read, transaction, now }: Connection, seals: Seals): QuestionTable {
  const markOf = (site: string, about: string) => seals.mark(`question|${site}|${about}`);
  return {
    async keep({ id, site, round, about }, content) {
      const rows = [...new Set(about.map((one) => markOf(site, one)))].map((mark) => {
        const { sealed } = seals.seal(content, questionAbout(id, String(round), mark));
        return { case_id: id, round, about: mark, sealed };
      });
      await transaction(async (trx) => {
        await trx.deleteFrom('kept_questions').where('case_id', '=', id).where('round', '=', round).execute();
        if (rows.length > 0)
          await trx
            .insertInto('kept_questions')
            .values(rows.map((row) => ({ ...row, kept_at: now() })))
            .execute();
      });
    },
    async forget(id, round) {
      await read((db) =>
        db.deleteFrom('kept_questions').where('case_id', '=', id).where('round', '=', round).execute(),
      );
    },
    async roundsOf(id) {
      const rows = await read((db) =>
        db.selectFrom('kept_questions').select('round').distinct().where('case_id', '=', id).execute(),
      );
      return rows.map(({ round }) => round);
    },
    async find(site, about, limit) {
      if (about.length === 0) return [];
      const marks = about.map((one) => markOf(site, one));
      const rows = await read((db) =>
        db
          .selectFrom('kept_questions')
          .select(['case_id', 'round', 'about', 'sealed'])
          .where('about', 'in', marks)
          .orderBy('kept_at', 'desc')
          // A question may be found by several of its texts, so duplicates are removed.
          .limit(limit * marks.length)
          .execute(),
      );
      const once = new Map(rows.map((row) => [`${row.case_id} ${row.round}`, row]));
      return [...once.values()]
        .slice(0, limit)
        .map(({ case_id, round, about: mark, sealed }) =>
          seals.open(sealed, questionAbout(case_id, String(round), mark)),
        );
    },
  };
}
