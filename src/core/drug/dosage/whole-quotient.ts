/**
 * The product of the dividends divided by the product of the divisors. Exact, so 0.3 / 0.1 is 3. Undefined when the
 * result is not whole, a number is negative, or a number is not written with plain digits.
 *
 * @example wholeQuotient([90], [1.5, 2]) // 30
 */
export function wholeQuotient(dividends: readonly number[], divisors: readonly number[]): number | undefined {
  const [dividend, divisor] = [plainProduct(dividends), plainProduct(divisors)];
  if (!Number.isSafeInteger(dividend) || !Number.isSafeInteger(divisor)) return exactQuotient(dividends, divisors);
  return divisor > 0 && dividend >= 0 && dividend % divisor === 0 ? dividend / divisor : undefined;
}

// The fast path for whole numbers. NaN if a number has a fraction.
function plainProduct(numbers: readonly number[]): number {
  return numbers.reduce((product, number) => (Number.isInteger(number) ? product * number : Number.NaN), 1);
}

function exactQuotient(dividends: readonly number[], divisors: readonly number[]): number | undefined {
  const [above, below] = [product(dividends), product(divisors)];
  if (above === undefined || below === undefined || below.digits === 0n) return undefined;
  const dividend = above.digits * 10n ** BigInt(below.decimals);
  const divisor = below.digits * 10n ** BigInt(above.decimals);
  return dividend % divisor === 0n ? Number(dividend / divisor) : undefined;
}

interface Decimal {
  readonly digits: bigint;
  readonly decimals: number;
}

function product(numbers: readonly number[]): Decimal | undefined {
  let whole: Decimal = { digits: 1n, decimals: 0 };
  for (const number of numbers) {
    const parts = /^(\d+)(?:\.(\d+))?$/.exec(String(number));
    if (parts === null) return undefined;
    const [, integer = '', fraction = ''] = parts;
    whole = {
      digits: whole.digits * BigInt(integer + fraction),
      decimals: whole.decimals + fraction.length,
    };
  }
  return whole;
}
